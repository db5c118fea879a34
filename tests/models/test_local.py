"""Local models, as far as they go without weights; the rest is in tests/live."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.errors import ConfigError
from handrail.models import weights
from handrail.models.local import LocalModel, local_model, readable
from handrail.models.model import ModelError


def said(*arguments: Any, content: str | None = None) -> dict[str, Any]:
    calls = [
        {"id": f"c{n}", "type": "function", "function": {"name": "f", "arguments": each}}
        for n, each in enumerate(arguments)
    ]
    return {"role": "assistant", "content": content, "tool_calls": calls}


def test_sound_calls_are_sent_as_they_are() -> None:
    """The very message, not a copy."""
    message = said('{"x": 1}', "{}")
    assert readable(message) is message


def test_a_broken_call_is_sent_as_text() -> None:
    """In the form that the template gives calls, with the model's own words."""
    expected = {
        "role": "assistant",
        "content": 'Well.\n<tool_call>\n{"name": "f", "arguments": {"x": }\n</tool_call>',
        "tool_calls": said("{}", '{"x": ')["tool_calls"][:1],
    }
    assert readable(said("{}", '{"x": ', content="Well.")) == expected


@pytest.mark.parametrize("arguments", ['{"x": NaN}', '{"x": 1e999}', "[1]", "", None, "null"])
def test_the_server_is_stricter_than_python(arguments: str | None) -> None:
    """What its parser refuses is sent as text."""
    assert "tool_calls" not in readable(said(arguments))


@given(st.lists(st.text() | st.none(), min_size=1, max_size=4))
def test_the_server_can_read_every_history(arguments: list[str | None]) -> None:
    """Law: what is left as a call holds a JSON object, and no word of the model is lost."""
    message = readable(said(*arguments))
    left = [call["function"]["arguments"] for call in message.get("tool_calls", ())]
    assert all(isinstance(json.loads(each), dict) for each in left)
    assert all(each in left or each in message["content"].strip() for each in arguments if each)


def test_the_variable_names_the_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """``local`` alone takes HANDRAIL_MODEL, and a wrong path is told."""
    pytest.importorskip("xllamacpp")
    monkeypatch.setenv("HANDRAIL_MODEL", str(tmp_path / "mine.gguf"))
    with pytest.raises(ConfigError, match="HANDRAIL_MODEL names no file"):
        local_model()
    (tmp_path / "mine.gguf").touch()
    assert local_model().path == tmp_path / "mine.gguf"


def test_known_weights_have_their_published_name(tmp_path: Path) -> None:
    """A hash is no name for people."""
    pytest.importorskip("xllamacpp")
    small = weights.WEIGHTS["0.5b"]
    path = tmp_path / f"{small.sha256}.gguf"
    assert LocalModel(path).name == "qwen2.5-coder-0.5b-instruct-q4_k_m"


def test_a_file_that_is_no_model_is_told(tmp_path: Path) -> None:
    """The engine's refusal becomes an error with the path."""
    pytest.importorskip("xllamacpp")
    path = tmp_path / "no.gguf"
    path.write_bytes(b"this is no model")
    with pytest.raises(ModelError, match="cannot be loaded as a model"):
        asyncio.run(LocalModel(path).respond([{"role": "user", "content": "hi"}], []))
