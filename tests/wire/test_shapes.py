"""The seam for one provider."""

import dataclasses

import pytest

from handrail.wire.registry import PROVIDERS
from handrail.wire.shapes import ReplyDict, Wire


def test_a_wire_cannot_be_changed():
    """A wire is a value; another is made by replacing a part."""
    wire = PROVIDERS["openai"]
    with pytest.raises(dataclasses.FrozenInstanceError):
        wire.name = "x"
    assert dataclasses.replace(wire, name="x").name == "x"


def test_replies_have_the_declared_keys():
    """Every provider gives a reply with exactly the declared keys."""
    for wire in PROVIDERS.values():
        assert isinstance(wire, Wire)
        assert wire.read_reply(wire.enclose([])).keys() == ReplyDict.__annotations__.keys()
