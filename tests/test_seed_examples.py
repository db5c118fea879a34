"""The examples of the requirement documents run with only the package's name changed.

They are taken out of the documents while the test runs, so none of their text is kept here.
"""

import asyncio
from pathlib import Path
from typing import Any

import pytest

import seed_code
from handrail import Extension, Status, Toolbox, ToolCall
from handrail.chat import ActionResult, ChatExtension
from handrail.sdk.rules.app import App, Level
from handrail.sdk.rules.table import validate
from handrail.testing import make_ctx

pytestmark = pytest.mark.skipif(not seed_code.AT_HAND, reason=seed_code.WHY_NOT)

NOTES = [{"title": f"n{number}", "folder_id": "f1"} for number in range(3)]


def declared(number: int) -> dict[str, Any]:
    """The names that an example of document 002 defines."""
    names: dict[str, Any] = {"__name__": f"example_{number}"}
    exec(compile(seed_code.examples()[number - 1], f"example {number}", "exec"), names)
    return names


def called(chat: ChatExtension, name: str, arguments: dict[str, Any], ctx: Any) -> Any:
    """The data of one call that goes the way of every call."""

    async def go() -> Any:
        async with Toolbox(chat.tools).turn(user=ctx) as turn:
            return await turn.answer(ToolCall("c1", name, arguments))

    result = asyncio.run(go())
    assert result.status is Status.OK, result
    return result.data


def seeded() -> Any:
    """A ctx with three notes."""
    ctx = make_ctx("u1")
    for note in NOTES:
        asyncio.run(ctx.store.create("notes", note))
    return ctx


def test_there_are_three_examples() -> None:
    """Each with an extension, a chat and one function."""
    for number in (1, 2, 3):
        names = declared(number)
        assert isinstance(names["ext"], Extension)
        assert len(names["chat"].functions) == 1
    assert len(seed_code.examples()) == 3


def test_example_1_lists_a_page() -> None:
    """A read with a limit; the handler stays the function that it was."""
    names, ctx = declared(1), seeded()
    page = called(names["chat"], "list_notes", {"folder_id": "f1", "limit": 2}, ctx)
    assert [note["title"] for note in page["notes"]] == ["n0", "n1"]
    assert (page["has_more"], page["next_offset"]) == (True, 2)
    assert names["chat"]._functions["list_notes"] is names["fn_list_notes"]
    (function,) = names["chat"].functions
    assert (function.declared.action_type, function.chain_callable) == ("read", True)


def test_example_2_creates() -> None:
    """A write whose document belongs to its user."""
    names, ctx = declared(2), make_ctx("u1")
    made = called(names["chat"], "create_note", {"title": " Milk "}, ctx)
    kept = asyncio.run(ctx.store.get("notes", made["note_id"]))
    assert kept is not None
    assert (kept.data["title"], kept.data["user_id"]) == ("Milk", "u1")
    (function,) = names["chat"].functions
    assert (function.event_type, function.declared.effects) == ("notes.created", ["create:note"])
    refused = asyncio.run(names["fn_create_note"](make_ctx(), names["CreateNoteParams"](title=" ")))
    assert (refused.status, bool(refused.error)) == ("error", True)


def test_example_3_deletes_what_is_in_a_folder() -> None:
    """Its handler called directly, as a test would."""
    names, ctx = declared(3), seeded()
    params = names["DeleteNotesFromFolderParams"](folder_id="f1", permanent=True)
    result: ActionResult[Any] = asyncio.run(names["fn_delete_notes_from_folder"](ctx, params))
    assert (result.data["deleted_count"], result.refresh_panels) == (3, ["sidebar"])
    assert asyncio.run(ctx.store.count("notes")) == 0
    (function,) = names["chat"].functions
    assert function.declared.action_type == "destructive"
    assert function.declared.id_projection == "folder_id"
    again = asyncio.run(names["fn_delete_notes_from_folder"](ctx, params))
    assert again.data["deleted_count"] == 0


@pytest.mark.parametrize("number", [1, 2, 3])
def test_examples_break_no_rule_but_the_icon(number: int, tmp_path: Path) -> None:
    """The documents have no icon beside them; warnings are about health, manifest, docstrings."""
    path = tmp_path / "example.py"
    code = seed_code.examples()[number - 1]
    path.write_text(code, encoding="utf-8")
    names: dict[str, Any] = {"__name__": "example"}
    exec(compile(code, str(path), "exec"), names)
    issues = validate(App(names["ext"]), strict=True)
    assert [one.rule for one in issues if one.level is Level.ERROR] == ["V21"]
    told = {one.rule for one in issues if one.level is Level.WARN}
    assert told <= {"V8", "V9", "V11", "V32"}


def test_fragment_of_document_000_declares_a_typed_handler() -> None:
    """Its name is the function's, and wrong arguments go back to the model."""
    chat = ChatExtension(Extension("tasks"), "tasks", "Tasks")
    names: dict[str, Any] = {"__name__": "fragment", "chat": chat, "ActionResult": ActionResult}
    exec(compile(seed_code.fragment(), "fragment", "exec"), names)
    (function,) = chat.functions
    assert (function.name, function.retries) == ("create_task", True)
    assert function.tool is not None
    assert function.tool.schema["required"] == ["title", "project_id"]
    wanted = {"title": "Call", "project_id": "p1"}
    assert called(chat, "create_task", wanted, make_ctx())["title"] == "Call"


def test_indentation_is_restored() -> None:
    """On a few lines of our own."""
    flat = (
        "def f(\na, b\n):\nif not a:\nreturn [\n1,\n]\nn = 0\nfor x in a:\nprint(x)\nn += 1\n"
        "return n\n@g\nclass A:\nx: int"
    )
    assert seed_code.restored(flat) == (
        "def f(\na, b\n):\n    if not a:\n        return [\n        1,\n        ]\n    n = 0\n"
        "    for x in a:\n        print(x)\n        n += 1\n    return n\n"
        "@g\nclass A:\n    x: int\n"
    )
