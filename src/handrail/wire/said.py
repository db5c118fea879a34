"""Words of the user's side as one message of each provider."""

from typing import Any

__all__ = ["user_message"]


def user_message(provider: str, text: str) -> dict[str, Any]:  # Any: JSON object
    """One message of the user's side, in the shape that goes with this provider's history."""
    match provider:
        case "gemini":
            return {"role": "user", "parts": [{"text": text}]}
        case "bedrock":
            return {"role": "user", "content": [{"text": text}]}
        case "mcp":
            return {"role": "user", "content": {"type": "text", "text": text}}
    return {"role": "user", "content": text}
