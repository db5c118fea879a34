"""A provider that refuses what Gemini refuses in a list of contents, Vertex's rules included."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from strict_provider import Refused

__all__ = ["refuse_gemini"]

_DATA = ("text", "functionCall", "functionResponse", "inlineData", "fileData")

Content = Mapping[str, Any]  # Any: JSON values


def refuse_gemini(contents: Sequence[Content]) -> None:
    """Raise Refused if these contents would be refused."""
    calls: list[Content] = []
    used: set[str] = set()
    before = ""
    for place, content in enumerate(contents):
        where, parts = f"contents[{place}]", content.get("parts")
        _wrong(content.get("role") not in ("user", "model"), f"{where} has no role")
        _wrong(not isinstance(parts, list) or not parts, f"{where} has no parts")
        for part in parts or ():
            _wrong(len([key for key in _DATA if key in part]) != 1, f"{where}: a part {part}")
            _wrong(part.get("text") == "" and "thoughtSignature" not in part, f"{where}: no text")
        results = [part["functionResponse"] for part in parts or () if "functionResponse" in part]
        _match(where, calls, results)
        _wrong(bool(results) and len(results) != len(parts or ()), f"{where} mixes results")
        _wrong(bool(results) and content["role"] != "user", f"{where} answers as the model")
        calls = [part["functionCall"] for part in parts or () if "functionCall" in part]
        _wrong(bool(calls) and content["role"] != "model", f"{where} calls as the user")
        model = content["role"] == "model"
        _wrong(model and before == "model", f"{where}: the model speaks behind itself")
        _wrong(bool(calls) and not before, f"{where}: calls begin the history")
        for call in calls:
            id = call.get("id")
            _wrong(id in used, f"{where}: the id {id!r} is used twice")
            used |= {id} if id else set()
            _wrong(not call.get("name"), f"{where}: a call has no name")
            _wrong(not isinstance(call.get("args", {}), Mapping), f"{where}: args are no object")
        before = content["role"]
    _wrong(bool(calls), "the history ends with open calls")
    json.dumps(list(contents), allow_nan=False)


def _wrong(condition: bool, what: str) -> None:
    if condition:
        raise Refused(what)


def _match(where: str, calls: Sequence[Content], results: Sequence[Content]) -> None:
    _wrong(len(calls) != len(results), f"{where}: {len(results)} results for {len(calls)} calls")
    for call, result in zip(calls, results, strict=True):
        _wrong(call["name"] != result.get("name"), f"{where}: {result.get('name')!r} is answered")
        known = (result.get("id") or None) in (None, call.get("id"))
        _wrong(not known, f"{where}: the id {result.get('id')!r} is another call's")
        _wrong(not isinstance(result.get("response"), Mapping), f"{where}: no response object")
