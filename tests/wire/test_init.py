"""The names that the wire room hands on."""

import handrail.wire as wire
from handrail.wire import registry, text


def test_names_are_handed_on():
    """The room's door gives the same objects as their homes."""
    assert all(hasattr(wire, name) for name in wire.__all__)
    assert (wire.find_calls, wire.read_reply) == (text.find_calls, registry.read_reply)
