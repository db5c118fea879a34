"""A declared function is a contract, and runs on the same exchange as every other tool."""

import asyncio
import threading
from typing import Any

import pytest
from pydantic import BaseModel, Field

from handrail import ContractError, Extension, Status, Tool, Toolbox, ToolCall, ToolResult
from handrail.chat import ActionResult, ChatExtension, NoParams


class Note(BaseModel):
    """A note."""

    title: str = Field(description="Title")


def chat() -> ChatExtension:
    """A chat without functions."""
    return ChatExtension(Extension("my-notes"), "notes", "Notes")


def answered(made: ChatExtension, name: str, arguments: Any, user: Any = "u1") -> ToolResult:
    """The result of one call."""

    async def go() -> ToolResult:
        async with Toolbox(made.tools).turn(user=user) as turn:
            return await turn.answer(ToolCall("c1", name, arguments))

    return asyncio.run(go())


def test_function_registers_a_tool() -> None:
    """With the full JSON Schema, what its author declared, and no guess from the name."""
    made = chat()

    @made.function("delete_note", "Delete a note for good.", effects=["delete:note"])
    async def handler(ctx, params: Note) -> ActionResult[Any]:
        return ActionResult.success()

    (tool,) = made.tools
    assert isinstance(tool, Tool)
    assert (tool.name, tool.action_type, tool.effects) == ("delete_note", "read", ("delete:note",))
    assert tool.schema["properties"]["title"]["description"] == "Title"


def test_handler_runs_with_a_ctx_of_its_user() -> None:
    """Judged, with the runtime's idempotency key, name and user."""
    made = chat()

    @made.function(description="Create a note of the user.", action_type="write")
    async def create_note(ctx, params: Note) -> ActionResult[Any]:
        doc = await ctx.store.create("notes", {"title": params.title})
        return ActionResult.success(
            {"id": doc.id, "user": ctx.user.imperal_id, "tool": ctx.tool,
             "key": bool(ctx.idempotency_key)}
        )  # fmt: skip

    result = answered(made, "create_note", {"title": "Milk"}, "u7")
    assert result.status is Status.OK
    assert (result.data["user"], result.data["tool"]) == ("u7", "create_note")
    assert result.data["key"] is True
    kept = asyncio.run(made.ext.context("u7").store.query("notes"))
    assert [one.data for one in kept.data] == [{"title": "Milk"}]


def test_wrong_arguments_never_reach_the_handler() -> None:
    """The contract's issue, and an attempt that is left."""
    made, ran = chat(), []

    @made.function(description="Create a note of the user.")
    async def create_note(ctx, params: Note) -> ActionResult[Any]:
        ran.append(params)
        return ActionResult.success()

    result = answered(made, "create_note", {})
    assert (result.status, result.max_attempts, ran) == (Status.INVALID, 3, [])
    assert [issue.code for issue in result.issues] == ["VAL-001"]


def test_handler_is_kept_as_it_is() -> None:
    """Calling it in a test is calling it."""
    made = chat()

    async def create_note(ctx, params: Note) -> ActionResult[Any]:
        return ActionResult.success({"title": params.title})

    assert made.function(description="Create a note.")(create_note) is create_note
    assert made._functions["create_note"] is create_note


def test_sync_handler_runs_in_a_thread() -> None:
    """The loop of everybody else goes on."""
    made, threads = chat(), []

    @made.function(description="Count the notes there are.")
    def count(ctx, params: NoParams) -> ActionResult[Any]:
        threads.append(threading.current_thread())
        return ActionResult.success()

    assert answered(made, "count", {}).status is Status.OK
    assert threads != [threading.main_thread()]


def test_legacy_handler_has_no_retry_layer_and_warns_once() -> None:
    """Its arguments pass as they are."""
    made, got = chat(), []
    with pytest.warns(UserWarning, match="has no schema") as heard:

        @made.function("old", "Takes whatever it is given.")
        async def old(ctx, **kwargs) -> ActionResult[Any]:
            got.append(kwargs)
            return ActionResult.success()

    assert (len(heard), heard[0].filename) == (1, __file__)
    result = answered(made, "old", {"a": 1, "b": [2]})
    assert (result.status, result.max_attempts, got) == (Status.OK, 1, [{"a": 1, "b": [2]}])
    assert made.functions[0].retries is False


def test_explicit_schema_is_judged() -> None:
    """By the engine for JSON Schemas; the handler gets its keywords."""
    made, got = chat(), []
    flat = {"to": {"type": "string", "description": "Whom"}, "n": {"type": "int"}}

    @made.function("send", "Send a letter to somebody.", flat)
    async def send(ctx, to: str, n: int = 1) -> ActionResult[Any]:
        got.append((to, n))
        return ActionResult.success()

    assert answered(made, "send", {"to": "Ada"}).status is Status.OK
    wrong = answered(made, "send", {"to": 3, "more": 1})
    assert (wrong.status, got) == (Status.INVALID, [("Ada", 1)])


def test_returns_is_what_data_holds() -> None:
    """From ActionResult[T], or stated; what is stated goes first."""
    made = chat()

    @made.function("one", "The first of these functions.")
    async def one(ctx, params: NoParams) -> ActionResult[Note]:
        return ActionResult.success()

    @made.function("two", "The second of these functions.", returns=dict)
    async def two(ctx, params: NoParams) -> ActionResult[Note]:
        return ActionResult.success()

    @made.function("three", "The third of these functions.")
    async def three(ctx, params: NoParams) -> ActionResult:  # type: ignore[type-arg]  # as authors write
        return ActionResult.success()

    assert [tool.returns for tool in made.tools] == [Note, dict, None]


def test_return_annotation_is_a_finding_and_no_error() -> None:
    """Absent, other, unresolvable."""
    made = chat()

    @made.function("one", "The first of these functions.")
    async def one(ctx, params: NoParams): ...

    @made.function("two", "The second of these functions.")
    async def two(ctx, params: NoParams) -> "Nowhere": ...  # type: ignore[name-defined]  # noqa: F821

    @made.function("three", "The third of these functions.")
    async def three(ctx, params: NoParams) -> ActionResult[Note]: ...  # type: ignore[empty-body]

    assert [one.annotated for one in made.functions] == [False, False, True]


def test_event_type_stands_with_the_function() -> None:
    """Hyphens of the app's id become underscores."""
    made = chat()

    @made.function("create_note", "Create a note of the user.", event="created")
    async def create(ctx, params: Note) -> ActionResult[Any]:
        return ActionResult.success()

    assert made.functions[0].event_type == "my_notes.created"


@pytest.mark.parametrize(
    ("keywords", "fault"),
    [
        ({"name": "with space"}, "the name 'with space' must match"),
        ({"name": 3}, "name=3 must be text"),
        ({"action_type": "delete"}, "action_type='delete' must be one of read, write, destructive"),
        ({"event": None}, "event=None must be text"),
        ({"event_schema": dict}, "event_schema=<class 'dict'> must be a pydantic model"),
        ({"id_projection": 3}, "id_projection=3 must be the name of a field"),
        ({"chain_callable": "yes"}, "chain_callable='yes' must be True, False or None"),
        ({"effects": 3}, "effects=3 must be a list"),
        ({"nonsense": 1}, "'nonsense' is no contract keyword"),
    ],
)
def test_wrong_keyword_is_refused(keywords: dict[str, Any], fault: str) -> None:
    """At declaration, with what would be right."""

    async def handler(ctx, params: Note) -> ActionResult[Any]:
        return ActionResult.success()

    with pytest.raises(ContractError) as raised:
        chat().function(**{"description": "Create a note of it.", **keywords})(handler)
    assert fault in str(raised.value)


def test_contract_keywords_reach_the_tool() -> None:
    """Those of every other tool."""
    made = chat()

    @made.function("drop", "Remove a note for good.", ids=("note_id",), compensate="create_note")
    async def drop(ctx, note_id: str) -> ActionResult[Any]:
        return ActionResult.success()

    (tool,) = made.tools
    assert (tool.ids, tool.compensate) == (("note_id",), "create_note")


def test_error_of_the_author_is_a_failure_with_its_code() -> None:
    """In the author's own words."""
    made = chat()

    @made.function("find", "Find one note of the user.")
    async def find(ctx, params: NoParams) -> ActionResult[Any]:
        return ActionResult.error("There is no such folder.", code="FOLDER_NOT_FOUND")

    result = answered(made, "find", {})
    assert (result.is_error, result.code) == (True, "FOLDER_NOT_FOUND")
    assert "There is no such folder." in result.content


def test_data_is_held_to_what_is_declared() -> None:
    """`ActionResult[T]` is validated; what fits comes through."""
    made = chat()

    @made.function("good", "Give what was declared here.")
    async def good(ctx, params: NoParams) -> ActionResult[Note]:
        return ActionResult.success({"title": "Milk"})

    @made.function("bad", "Give something else than that.")
    async def bad(ctx, params: NoParams) -> ActionResult[Note]:
        return ActionResult.success({"title": 3})

    assert answered(made, "good", {}).data == {"title": "Milk"}
    wrong = answered(made, "bad", {})
    assert (wrong.is_error, wrong.error_class) == (True, "schema_mismatch")
