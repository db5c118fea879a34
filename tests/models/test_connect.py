"""A name becomes a model."""

import sys
from pathlib import Path

import pytest

from handrail.errors import ConfigError
from handrail.models import connect
from handrail.models.any_provider import AnyProvider
from handrail.models.http import HttpModel
from handrail.models.local import LocalModel


def test_an_address_is_a_server() -> None:
    """Options go to the model behind the address."""
    model = connect("http://127.0.0.1:1/v1", model="m", api_key="k")
    assert isinstance(model, HttpModel)
    assert model.model == "m"


def test_a_file_is_a_local_model(tmp_path: Path) -> None:
    """Nothing is loaded before the first request."""
    pytest.importorskip("xllamacpp")
    own = tmp_path / "own.gguf"
    own.write_bytes(b"GGUF")
    model = connect(f"local:{own}")
    assert isinstance(model, LocalModel)
    assert (model.path, model.name) == (own, "own")


def test_a_provider_is_reached_by_its_name() -> None:
    """The rest of the name is the provider's."""
    pytest.importorskip("pydantic_ai")
    assert isinstance(connect("openai-chat:gpt-4o", api_key="k", temperature=0), AnyProvider)


@pytest.mark.parametrize("name", ["", "gpt-4o", "  ", "nobody:gpt"])
def test_an_unknown_name_is_told(name: str) -> None:
    """The message lists what is understood, or quotes the name."""
    with pytest.raises(ConfigError) as caught:
        connect(name)
    told = str(caught.value)
    assert ("local:0.5b" in told and "http://host:port/v1" in told) or repr(name) in told


def test_an_unknown_option_is_told() -> None:
    """A typing error is not ignored."""
    with pytest.raises(ConfigError, match="colour"):
        connect("http://127.0.0.1:1/v1", colour="red")


def test_a_missing_key_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable to set is named."""
    pytest.importorskip("pydantic_ai")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(ConfigError, match="OPENAI_API_KEY"):
        connect("openai:gpt-5")


def test_missing_weights_are_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What to set, what to call, and how much it would download."""
    monkeypatch.delenv("HANDRAIL_MODEL", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(ConfigError) as caught:
        connect("local")
    told = str(caught.value)
    assert "HANDRAIL_MODEL" in told
    assert "weights.fetch('0.5b')" in told
    assert "491 MB" in told
    assert list(tmp_path.iterdir()) == []


def test_a_missing_engine_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The extra is named before anything is loaded."""
    own = tmp_path / "own.gguf"
    own.write_bytes(b"GGUF")
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(ConfigError, match=r"pip install 'handrail\[local,models\]'"):
        connect(f"local:{own}")
