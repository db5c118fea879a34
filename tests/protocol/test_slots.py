"""The calls of one message before and after they are placed."""

from handrail import ToolCall
from handrail.protocol.slots import Incoming, Slot


def test_a_call_comes_with_nothing_but_itself() -> None:
    """Why the reply ended, a name of the host, and how it was read are extra."""
    assert Incoming(ToolCall("c", "t")) == (ToolCall("c", "t"), None, None, ())


def test_a_slot_begins_at_nothing() -> None:
    """Nothing was said, shared, parked, begun or edited."""
    slot = Slot(ToolCall("c", "t"), None, None)
    assert (slot.twin, slot.said, slot.reused, slot.parked, slot.began, slot.edits) == (
        None, None, False, False, False, 0,
    )  # fmt: skip
