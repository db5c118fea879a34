"""What tests of tools and conversations need: a scripted model, a human that answers, and laws.

RULE: for tests; nothing here talks to a model or a person.

A script is the replies in order::

    model = ScriptedModel([call("create_task", {"title": "Call the bank"}), text("Done.")])

`laws` tries generated arguments on the tools of a toolbox::

    def test_my_tools():
        laws(box)

`make_ctx` is the ``ctx`` that a handler of an extension gets::

    result = await create_note(make_ctx("u1"), CreateNoteParams(title="Milk"))
"""

from handrail.testing.contexts import make_ctx
from handrail.testing.laws import laws
from handrail.testing.script import AutoHuman, Item, Request, ScriptedModel, Text, call, text

__all__ = [
    "AutoHuman",
    "Item",
    "Request",
    "ScriptedModel",
    "Text",
    "call",
    "laws",
    "make_ctx",
    "text",
]
