"""What tests of tools and conversations need: a model that follows a script, a human that answers.

RULE: for tests; nothing here talks to a model or a person.

A script is the replies in order::

    model = ScriptedModel([call("create_task", {"title": "Call the bank"}), text("Done.")])
"""

from handrail.testing.script import AutoHuman, Item, Request, ScriptedModel, Text, call, text

__all__ = ["AutoHuman", "Item", "Request", "ScriptedModel", "Text", "call", "text"]
