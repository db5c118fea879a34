"""What type checkers see of the public names. Checked by `make check`, never run."""

from collections.abc import Callable, Coroutine
from typing import Any, Literal, assert_type

from handrail import (
    Advice,
    Context,
    Coverage,
    Escalation,
    Extension,
    Goal,
    Judgement,
    Policy,
    Status,
    Tool,
    Toolbox,
    ToolCall,
    ToolError,
    ToolResult,
    Turn,
    build_json_schema_response_format,
    checks,
    guard,
    guarded_call,
)
from handrail.approvals import Card
from handrail.chat import ActionResult, ChatExtension, NoParams
from handrail.contract.guarded import Guarded
from handrail.sdk.ctx import Ctx
from handrail.testing import make_ctx
from handrail.ui import Text, UINode

box = Toolbox(name="shop", policy="strict", enforce=False)


@box.tool(action_type="read", when_to_use="always")
def search(query: str, ctx: Context) -> list[str]:
    """Search."""
    return [query, ctx.call_id]


assert_type(box.tools, tuple[Tool, ...])
assert_type(box.check(ToolCall("c", "search", {"query": "x"})), Judgement)
assert_type(box.approvals("ann"), list[Card])
assert_type(box.schemas("openai", strict=True), list[dict[str, Any]])  # Any: as declared
assert_type(box.wrap(len), Callable[..., ToolResult])


def sync(turn: Turn) -> None:
    """The synchronous doors."""
    result = turn.answer_sync(ToolCall("c", "search", "{}"), chain="one")
    assert_type(result, ToolResult)
    assert_type(result.status, Status)
    assert_type(result.content, str)
    assert_type(result.escalation, Escalation | None)
    assert_type(turn.take_sync({}).to_messages(), list[dict[str, Any]])  # Any: as declared


async def asynchronous() -> None:
    """The asynchronous doors."""
    async with box.turn("key", user="ann") as turn:
        assert_type(turn, Turn)
        assert_type((await turn.take({})).done, bool)
        assert_type(await turn.answer(ToolCall("c", "search")), ToolResult)
    assert_type(await box.approve("id", by="ann"), ToolResult)
    with box.turn(goal=Goal("x", needs=["search"]), visible=["search"]) as aimed:
        assert_type(aimed.coverage, Coverage)
        assert_type(aimed.next, Advice)
        assert_type(aimed.tools, tuple[Tool, ...])


assert_type(Policy.load("config.yml"), Policy)
assert_type(Policy.preset("strict").replace(attempts=2), Policy)


# extensions

ext = Extension("notes", version="1.0.0", capabilities=["notes"])
chat = ChatExtension(ext, tool_name="notes", description="Notes")


@chat.function("look", "Look at everything.", action_type="read", effects=["update:note"])
async def look(ctx: Ctx, params: NoParams) -> ActionResult[dict[str, int]]:
    """Look."""
    if await ctx.store.count("notes"):
        return ActionResult.error("No.", retryable=True, code="NO")
    page = await ctx.store.query("notes", where={"a": 1}, order_by=["a"], limit=3)
    assert_type(page.cursor, str | None)
    return ActionResult.success({"count": page.total}, "Counted.", ui=Text("x"))


@ext.panel("side")
async def side(ctx: Ctx) -> UINode:
    """Draw."""
    await ctx.progress(50, "half")
    response = await ctx.http.get("https://example.org", timeout=3)
    return Text(response.text)


assert_type(make_ctx("u1", scopes=["a"]), Ctx)
assert_type(ActionResult.success().error, str)
reply = build_json_schema_response_format({"type": "object"}, "thing").read("{}")
assert_type(reply.ok, bool)
assert_type(reply.outcome, Literal["ok", "refused", "cut", "invalid"])


@guard
def guarded(query: str) -> list[str]:
    """A guarded function."""
    return [query]


@guard(list[str], check=checks.not_empty(), max_identical=5)
async def awaited(query: str) -> str:
    """An async one."""
    return query


assert_type(guarded("x"), Guarded)
assert_type(guarded("x").error, ToolError | None)
_ = assert_type(awaited(query="x"), Coroutine[Any, Any, Guarded])  # Any: of Coroutine
assert_type(guarded.reset(), None)
assert_type(guarded_call(len, int, obj="x"), dict[str, Any])  # Any: JSON values
