"""What an extension declares beside its functions has a place."""

from handrail import Extension
from handrail.chat import ChatExtension
from handrail.ui import Text


def test_every_declaration_knows_its_line() -> None:
    """For findings."""
    ext = Extension("notes")
    chat = ChatExtension(ext, "notes", "Notes")
    ext.on_event("a.b")(lambda ctx, event: None)
    ext.emits("done")
    ext.skeleton("recent")(lambda ctx: {})
    ext.panel("side")(lambda ctx: Text("x"))
    listed = [*ext.subscriptions, *ext.emissions, *ext.sections, *ext.panels]
    assert {one.place.file for one in listed} == {__file__}
    lines = [chat.place.line, *(one.place.line for one in listed)]
    assert lines == list(range(lines[0], lines[0] + 5))
