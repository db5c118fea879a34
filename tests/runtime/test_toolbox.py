"""Where a program begins: declaring, judging, scope, keyed turns."""

import logging
from typing import Any

import pytest

from handrail import ConfigError, ContractError, Status, Tool, Toolbox, ToolCall
from handrail.policy import Policy
from handrail.testing import AutoHuman
from parts import Clock, call, shop


def test_a_function_becomes_a_tool_and_stays_itself() -> None:
    """The decorator declares, and hands the function back."""
    box = Toolbox()

    @box.tool(action_type="write", when_to_use="always")
    def greet(name: str) -> str:
        """Greet somebody."""
        return f"hello {name}"

    assert greet("Ann") == "hello Ann"
    (tool,) = box.tools
    assert (tool.name, tool.description, tool.action_type) == ("greet", "Greet somebody.", "write")


def test_the_bare_decorator_works_too() -> None:
    """Without brackets."""
    box = Toolbox()

    @box.tool
    def greet(name: str) -> str:
        """Greet somebody."""
        return name

    assert [tool.name for tool in box.tools] == ["greet"]
    assert greet("x") == "x"


def test_two_tools_of_one_name_are_refused() -> None:
    """The error names the tool."""
    box, _ = shop()
    with pytest.raises(ContractError, match="a tool named 'search_orders' already"):
        box.add(box.tools[0])


def test_schemas_are_full_and_closed() -> None:
    """The model sees enums and required fields; unknown fields are ruled out."""
    box, _ = shop()
    function = box.schemas("openai")[1]["function"]
    assert function["name"] == "set_status"
    assert function["parameters"]["properties"]["status"]["enum"] == ["placed", "shipped"]
    assert function["parameters"]["additionalProperties"] is False


def test_check_judges_and_runs_nothing() -> None:
    """All issues in one judgement."""
    box, ran = shop()
    judgement = box.check(ToolCall("c", "set_status", '{"status": "lost"}'))
    assert [issue.code for issue in judgement.issues] == ["VAL-001", "VAL-008"]
    assert (judgement.ok, judgement.status, ran) == (False, Status.INVALID, [])


def test_check_of_an_unknown_tool_names_the_nearest() -> None:
    """VAL-019, refused."""
    box, _ = shop()
    judgement = box.check(call("serch_orders"))
    assert judgement.status is Status.REFUSED
    assert "search_orders" in judgement.issues[0].message


async def test_async_checks_are_skipped_by_check_and_run_by_acheck() -> None:
    """The sync door says that it skipped one."""

    async def never(args: object) -> str:
        return "not today"

    def act(x: int) -> int:
        """Act on x."""
        return x

    box = Toolbox([Tool.from_function(act, check_input=never)])
    skipped = box.check(call("act", '{"x": 1}'))
    asked = await box.acheck(call("act", '{"x": 1}'))
    assert (skipped.ok, skipped.issues[0].severity.value) == (True, "info")
    assert (asked.ok, asked.issues[0].message) == (False, "not today")


def test_out_of_scope_is_refused_before_it_runs() -> None:
    """The reason reaches the model; nothing runs."""

    def scope(user: object, tool: str, args: dict[str, object]) -> bool | str:
        return args.get("customer_id") == user or "another customer's data"

    box, ran = shop(scope=scope)
    with box.turn(user="C-1") as turn:
        refused = turn.answer_sync(call("search_orders", '{"customer_id": "C-2"}'))
        allowed = turn.answer_sync(call("search_orders", '{"customer_id": "C-1"}'))
    assert (refused.status, refused.error_class) == (Status.REFUSED, "refused")
    assert "another customer's data" in refused.content
    assert (allowed.status, len(ran)) == (Status.OK, 1)


def test_a_scope_that_raises_refuses_and_tells_the_operator() -> None:
    """The safe verdict; the exception's text is for the host alone."""

    def scope(user: object, tool: str, args: object) -> bool:
        raise KeyError("internal-host")

    box, ran = shop(scope=scope)
    result = box.turn().answer_sync(call("search_orders", '{"customer_id": "C-2"}'))
    assert (result.status, ran) == (Status.REFUSED, [])
    assert "internal-host" not in result.content
    assert "internal-host" in (result.host_advice or "")


def test_the_same_key_continues_the_same_turn() -> None:
    """Counters survive: the second turn's attempt is the second."""
    box, _ = shop()
    with_bad = call("set_status", '{"order_id": "O-1", "status": "lost"}')
    box.turn("conv:1").answer_sync(with_bad)
    assert box.turn("conv:1").answer_sync(with_bad).attempt == 2
    assert box.turn("conv:2").answer_sync(with_bad).attempt == 1


def test_shadow_mode_records_and_blocks_nothing() -> None:
    """enforce=False: the handler runs with what it would have got, the issues are kept."""
    seen: list[object] = []

    def act(x: int) -> str:
        """Act on x."""
        seen.append(x)
        return "ok"

    box = Toolbox([act], enforce=False)
    result = box.turn().answer_sync(call("act", '{"x": "many"}'))
    assert (result.status, seen) == (Status.OK, ["many"])
    assert [issue.code for issue in result.issues] == ["VAL-002"]
    assert "VAL-002" not in result.content


def test_wrap_gives_a_result_and_never_an_exception() -> None:
    """Keyword arguments in, ToolResult out."""
    box = Toolbox()

    def divide(a: int, b: int) -> float:
        """Divide a by b."""
        return a / b

    guarded = box.wrap(divide)
    assert guarded(a=4, b=2).data == 2.0
    assert guarded(a=4, b=0).status is Status.FAILED
    assert guarded(a="four", b=2).status is Status.INVALID


def test_an_unknown_policy_provider_or_store_is_named() -> None:
    """Bad settings name the thing and the choices."""
    with pytest.raises(ConfigError, match="strict, balanced, lenient"):
        Toolbox(policy="harsh")
    with pytest.raises(ConfigError, match="memory only"):
        Toolbox(store="sqlite:///x.db")  # type: ignore[arg-type]  # on purpose
    with pytest.raises(ConfigError, match="provider='cohere' is unknown"):
        Toolbox().schemas("cohere")


def test_a_broken_subscriber_does_not_touch_the_call(caplog: pytest.LogCaptureFixture) -> None:
    """Its exception is logged for the operator."""

    def reader(entry: object) -> None:
        raise RuntimeError("reader broke")

    box, _ = shop(subscribers=[reader])
    with caplog.at_level(logging.ERROR, "handrail.runtime"):
        result = box.turn().answer_sync(call("search_orders", '{"customer_id": "C-1"}'))
    assert result.status is Status.OK
    assert "A subscriber of the journal raised" in caplog.text


def test_attempts_come_from_tool_then_policy() -> None:
    """The tool's own number wins."""

    def act(x: int) -> int:
        """Act on x."""
        return x

    box = Toolbox(
        [Tool.from_function(act, attempts=1)], policy=Policy.preset("balanced").replace(attempts=5)
    )
    assert box.turn().answer_sync(call("act", "{}")).status is Status.BLOCKED


def test_identical_reads_reset_by_the_clock_of_results_only() -> None:
    """Time alone changes nothing: the fourth identical read is refused."""
    clock = Clock()
    box, _ = shop(clock=clock)
    with box.turn() as turn:
        for _ in range(3):
            clock.now += 3600
            turn.answer_sync(call("search_orders", '{"customer_id": "C-1"}'))
        fourth = turn.answer_sync(call("search_orders", '{"customer_id": "C-1"}'))
    assert fourth.code == "BUD-002"


def test_strict_schemas_and_their_inverse() -> None:
    """Nulls that the strict form forces go silently, for destructive tools too; not before."""
    ran: list[dict[str, object]] = []
    schema = {
        "properties": {"id": {"type": "string"}, "why": {"type": "string"}},
        "required": ["id"],
    }
    box = Toolbox(human=AutoHuman())
    box.add(
        Tool.from_json_schema(
            "drop", "Drops.", schema, lambda **args: ran.append(args), action_type="destructive"
        )
    )
    call = ToolCall("c", "drop", '{"id": "a", "why": null}')
    assert not box.check(call).ok
    (told,) = box.schemas("openai", strict=True)
    assert told["function"]["strict"] is True
    assert told["function"]["parameters"]["required"] == ["id", "why"]
    assert (box.check(call).ok, box.check(call).issues) == (True, ())
    with box.turn() as turn:
        result = turn.answer_sync(call)
    assert (result.status, result.issues, ran) == ("ok", (), [{"id": "a"}])


def test_a_turn_publishes_strictly_for_its_toolbox() -> None:
    """Whichever door the schemas went out by."""
    box, ran = shop()
    with box.turn() as turn:
        turn.schemas("openai", strict=True)
        result = turn.answer_sync(call("search_orders", {"customer_id": "C-1", "page": None}))
    assert (result.status, result.mends, ran) == ("ok", (), [("search_orders", ("C-1", 1))])
    assert [one.keyword for one in box.schema_report("mcp")] == ["strict"] * 3


def test_a_human_who_cannot_decide_is_refused_at_once() -> None:
    """Not at the first destructive call."""
    with pytest.raises(ConfigError, match=r"human=True must be a function .* or an object with"):
        Toolbox(human=True)  # type: ignore[arg-type]  # on purpose


def test_a_chain_never_redirects_to_another_tool() -> None:
    """The host's name of a call counts only for the tool that it began with."""
    box, ran = shop()
    with box.turn() as turn:
        turn.answer_sync(call("set_status", "{}"), chain="k")
        turn.answer_sync(call("search_orders", '{"customer_id": "C-1"}'), chain="k")
    assert [name for name, _ in ran] == ["search_orders"]


def test_an_infinite_reading_is_counted_like_any_other() -> None:
    """JSON has no Infinity: the text stays as it was sent, and is refused when repeated."""

    def wait(seconds: float) -> str:
        """Wait."""
        return "waited"

    box = Toolbox([wait])
    with box.turn() as turn:
        codes = [turn.answer_sync(call("wait", {"seconds": "inf"})).code for _ in range(4)]
    assert codes == [None, None, None, "BUD-002"]


def test_secrets_in_lists_stay_hidden_in_mends() -> None:
    """The name of the list counts for its items."""

    def login(password: list[int]) -> str:
        """Log in."""
        return "ok"

    text = Toolbox([login]).turn().answer_sync(call("login", {"password": ["987654"]})).content
    assert "987654" not in text


def test_a_card_says_how_often_the_call_has_run_by_now() -> None:
    """Two cards of one call: after the first is approved, the second shows it."""
    box, _ = shop()
    with box.turn(user="ann") as turn:
        for _ in range(2):
            turn.answer_sync(call("delete_order", '{"order_id": "O-1"}'))
    first, _ = box.approvals()
    box.approve_sync(first.id, by="ann")
    assert box.approvals()[0].items[0].already_done == 1


def test_reuse_answers_every_twin_from_the_earlier_run() -> None:
    """One run in all, however often one message asks."""
    ran: list[str] = []

    def find(q: str) -> dict[str, int]:
        """Find."""
        ran.append(q)
        return {"rows": len(ran)}

    box = Toolbox([Tool.from_function(find, reuse=True)])
    with box.turn() as turn:
        turn.answer_sync(call("find", '{"q": "a"}'))
        again = turn.take_sync([call("find", '{"q": "a"}') for _ in range(3)]).results
    assert ([one.data for one in again], ran) == ([{"rows": 1}] * 3, ["a"])


def test_shadow_mode_never_says_that_invalid_arguments_were_accepted() -> None:
    """What fails in it tells of the arguments; what cannot be read does not run."""

    def add(a: int) -> int:
        """Add one."""
        return a + 1

    with Toolbox([add], enforce=False).turn() as turn:
        failed = turn.answer_sync(call("add", '{"a": "x"}'))
        unread = turn.answer_sync(call("add", '{"a": 1'))
    assert "were accepted" not in failed.content
    assert [issue.code for issue in failed.issues] == ["VAL-002"]
    assert unread.status is Status.INVALID


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"clock": 3}, "clock=3 must be a function that takes nothing and gives seconds"),
        ({"scope": "own"}, "scope='own' must be a function that takes the user, a tool's name"),
        (
            {"subscribers": [print, 3]},
            r"subscribers\[1\]=3 must be a function that takes a",
        ),
        ({"subscribers": 3}, "subscribers=3 must be a list of functions"),
    ],
)
def test_parts_that_are_none_are_named_at_once(given: dict[str, Any], expected: str) -> None:
    """Not by the first call that needs them."""
    with pytest.raises(ConfigError, match=expected):
        Toolbox(**given)
