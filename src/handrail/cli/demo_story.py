"""Tells what happens in a conversation while it happens, from the journal."""

import json
from collections.abc import Callable

from handrail.contract.call import Status, ToolResult
from handrail.contract.preview import word
from handrail.protocol.asks import Approved, AskHuman, AskModel, Close, Denied, Proposed
from handrail.protocol.journal import Entry

__all__ = ["Story"]

_INDENT = " " * 10


class Story:
    """A reader of the journal that writes lines for a person.

    Args:
        say: Takes one line and the kind of speaker: ``user``, ``model``, ``handrail``, ``tool``,
            ``human``, ``title`` or ``end``.
    """

    def __init__(self, say: Callable[[str, str], None]) -> None:
        self._say = say

    def scene(self, number: int, title: str, user: str) -> None:
        """A scene begins."""
        self._say(f"{number}. {title}", "title")
        self._say(_block("user", user), "user")

    def model_said(self, text: str) -> None:
        """The model answered in words."""
        if text:
            self._say(_block("model", text), "model")

    def __call__(self, entry: Entry) -> None:
        """Tell one entry."""
        match entry.message:
            case Proposed(call=call):
                self._say(_block("model", f"{call.name} {_shown(call.arguments)}"), "model")
            case AskModel(result=result):
                self._say(_block("handrail", result.content), "handrail")
            case AskHuman(card=card):
                item = card.items[0]
                lines = (
                    f"{item.tool} ({item.action_type}) waits for a person\n"
                    f"arguments {json.dumps(item.arguments, ensure_ascii=False)}\n"
                    f"effects   {', '.join(item.effects) or 'not declared'}\n"
                    f"hash      {item.hash[:16]}... of exactly these arguments"
                )
                self._say(_block("handrail", lines), "handrail")
            case Approved(by=by):
                self._say(_block("person", f"{word(by)}: yes"), "human")
            case Denied(by=by):
                self._say(_block("person", f"{word(by)}: no"), "human")
            case Close(result=result):
                self._closed(entry, result)

    def _closed(self, entry: Entry, result: ToolResult) -> None:
        if result.status is Status.OK:
            most = result.max_attempts
            times = f"   (attempt {entry.attempts} of {most})" if entry.attempts > 1 else ""
            shown = result.content.partition("\n\nNote:\n")[0]
            self._say(_block("tool", f"{shown}{times}"), "tool")
        elif entry.outcome != "llm_gave_up":
            self._say(_block("handrail", result.content), "handrail")
            if result.escalation is not None:
                self._say(_block("to you", result.escalation.for_human()), "human")
        else:
            self._say(_block("handrail", result.content), "handrail")


def _shown(arguments: object) -> str:
    if isinstance(arguments, str):
        try:
            return json.dumps(json.loads(arguments), ensure_ascii=False)
        except ValueError:
            return word(arguments, 200)
    return json.dumps(arguments, ensure_ascii=False)


def _block(speaker: str, text: str) -> str:
    first, *rest = text.splitlines() or [""]
    return "\n".join([f"{speaker:<10}{first}", *(f"{_INDENT}{line}".rstrip() for line in rest)])
