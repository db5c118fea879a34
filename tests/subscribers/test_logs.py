"""Log lines through a real toolbox, against section 9 of the contract and seed 004."""

import logging
from typing import Any

import pytest

from handrail import Toolbox, ToolCall
from handrail.protocol.asks import AskModel, AskTool, Close
from handrail.subscribers.logs import OUTCOME_LEVELS, LogLines
from parts import call, shop

SECRET = "hunter2-very-secret"
FAILED = "Tool validation failed"


def boxed(**options: object) -> Toolbox:
    """A shop, which logs without being asked."""
    return shop(**options)[0]


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    """Everything that is logged, from DEBUG on."""
    caplog.set_level(logging.DEBUG, logger="handrail")
    return caplog


def answer(box: Toolbox, *arguments: str, name: str = "search_orders", **turn: Any) -> None:
    """One logical call with these attempts, then the end of the turn."""
    with box.turn(**turn) as open_turn:
        for text in arguments:
            open_turn.answer_sync(call(name, text))


def outcomes(lines: pytest.LogCaptureFixture) -> list[tuple[str, str]]:
    """Level and text of the outcome lines."""
    said = [(record.levelname, record.getMessage()) for record in lines.records]
    return [one for one in said if one[1].startswith("validation_retry_outcome")]


def failures(lines: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    """Attributes of the failure records."""
    return [vars(record) for record in lines.records if record.getMessage() == FAILED]


BAD, WORSE, GOOD = '{"page": "x"}', '{"customer_id": 7}', '{"customer_id": "C-1"}'


@pytest.mark.parametrize(
    ("attempts", "level", "outcome", "retries"),
    [
        ([GOOD], "DEBUG", "no_retry", 0),
        ([BAD, GOOD], "INFO", "success", 1),
        ([BAD, WORSE, GOOD], "INFO", "success", 2),
        ([BAD], "INFO", "llm_gave_up", 0),
        ([BAD, WORSE], "INFO", "llm_gave_up", 1),
        ([BAD, WORSE, '{"customer_id": 8}'], "WARNING", "exhausted", 2),
        ([BAD, BAD, BAD], "WARNING", "redundant", 2),
    ],
)
def test_one_outcome_line_for_each_logical_call(
    lines: pytest.LogCaptureFixture, attempts: list[str], level: str, outcome: str, retries: int
) -> None:
    """The very text that seed 000 turns into a metric."""
    answer(boxed(policy="strict"), *attempts)
    assert outcomes(lines) == [
        (
            level,
            "validation_retry_outcome tool=search_orders ext=shop "
            f"outcome={outcome} retry_count={retries}",
        )
    ]


def test_an_invented_id_on_a_retry_is_a_warning(lines: pytest.LogCaptureFixture) -> None:
    """The security alert of seed 000, and its failure record."""
    box = Toolbox(name="mail")

    @box.tool(ids=["order_id"])
    def read_order(order_id: str) -> str:
        """Read an order."""
        return order_id

    answer(box, "{}", '{"order_id": "order-abc-123"}', name="read_order")
    expected = (
        "validation_retry_outcome tool=read_order ext=mail "
        "outcome=fabricated_id_on_retry retry_count=1"
    )
    assert outcomes(lines) == [("WARNING", expected)]
    assert [one["retry_attempt"] for one in failures(lines)] == [1, 2]
    assert failures(lines)[1]["errors"] == [{"path": "/order_id", "code": "VAL-017"}]


def test_outcome_fields_are_attributes(lines: pytest.LogCaptureFixture) -> None:
    """For those who read records and not text."""
    answer(boxed(policy="strict"), BAD, GOOD)
    (record,) = [one for one in lines.records if hasattr(one, "outcome")]
    named = {key: vars(record)[key] for key in ("tool_name", "ext", "outcome", "retry_count")}
    expected = {"tool_name": "search_orders", "ext": "shop", "outcome": "success"}
    assert named == {**expected, "retry_count": 1}
    assert record.name == "handrail.validation"


def test_each_failure_is_one_record_with_its_fields(lines: pytest.LogCaptureFixture) -> None:
    """Seed 004's example, field by field."""
    answer(boxed(policy="strict"), '{"page": "x", "zz": 1}', BAD, GOOD)
    first, second = failures(lines)
    assert (first["levelname"], first["tool_name"]) == ("WARNING", "search_orders")
    assert (first["error_count"], first["retry_attempt"], first["max_retries"]) == (3, 1, 3)
    assert sorted(first["errors"], key=lambda one: one["path"]) == [
        {"path": "/customer_id", "code": "VAL-001"},
        {"path": "/page", "code": "VAL-002"},
        {"path": "/zz", "code": "VAL-005"},
    ]
    assert (second["error_count"], second["retry_attempt"]) == (2, 2)
    assert first["correlation_id"] == second["correlation_id"]


def test_calls_have_correlation_ids_of_their_own(lines: pytest.LogCaptureFixture) -> None:
    """Two turns, two ids; the outcome line has that of its failures."""
    box = boxed(policy="strict")
    answer(box, BAD)
    answer(box, BAD)
    said = [vars(one)["correlation_id"] for one in lines.records]
    assert said[0] == said[1] != said[2] == said[3]


def test_a_blocked_call_logs_each_of_its_attempts(lines: pytest.LogCaptureFixture) -> None:
    """The last one too, with what was wrong and not with the spent budget."""
    answer(boxed(policy="strict"), BAD, WORSE, '{"customer_id": 8}')
    assert [one["retry_attempt"] for one in failures(lines)] == [1, 2, 3]
    assert failures(lines)[2]["errors"] == [{"path": "/customer_id", "code": "VAL-002"}]


@pytest.mark.parametrize("bad", ["[1", '"text"', '{"customer_id": 1,'])
def test_broken_json_is_a_failure_at_the_root(lines: pytest.LogCaptureFixture, bad: str) -> None:
    """Its path is the whole object."""
    answer(boxed(), bad)
    (record,) = failures(lines)
    assert [one["path"] for one in record["errors"]] == [""]


def test_warnings_are_no_errors(lines: pytest.LogCaptureFixture) -> None:
    """A mended call logs an outcome and no failure."""
    answer(boxed(), '{"customer_id": "C", "page": "2"}')
    assert failures(lines) == []
    assert len(outcomes(lines)) == 1


def test_a_refusal_before_validation_has_no_outcome(lines: pytest.LogCaptureFixture) -> None:
    """An unknown tool is told as a failure, and its name cannot forge a line."""
    answer(boxed(), "{}", name="no\nsuch tool")
    assert outcomes(lines) == []
    (record,) = failures(lines)
    assert record["tool_name"] == "no\\nsuch tool"
    assert [one["code"] for one in record["errors"]] == ["VAL-019"]


def test_shadow_mode_observes(lines: pytest.LogCaptureFixture) -> None:
    """The call ran, and the failure is recorded all the same."""
    answer(boxed(policy="strict", enforce=False), '{"customer_id": "C", "page": "2"}')
    (record,) = failures(lines)
    assert record["errors"] == [{"path": "/page", "code": "VAL-002"}]
    (line,) = outcomes(lines)
    assert (line[0], "outcome=not_enforced" in str(line)) == ("INFO", True)


def test_shadow_mode_is_seen_without_debug(caplog: pytest.LogCaptureFixture) -> None:
    """At the level that programs run with."""
    caplog.set_level(logging.WARNING, logger="handrail")
    answer(boxed(policy="strict", enforce=False), '{"customer_id": "C", "page": "2"}')
    assert [record.getMessage() for record in caplog.records] == [FAILED]


def test_no_value_is_ever_logged(lines: pytest.LogCaptureFixture) -> None:
    """Neither in a message nor in an attribute, whatever went wrong."""
    box = boxed(policy="strict")
    texts = [
        f'{{"customer_id": ["{SECRET}"]}}',
        f'{{"customer_id": "{SECRET}", "page": "{SECRET}"}}',
        f'{{"customer_id": "{SECRET}',
    ]
    answer(box, *texts)
    answer(box, f'{{"order_id": "O", "status": "{SECRET}"}}', name="set_status")
    assert len(lines.records) == 6
    assert SECRET not in " ".join(str(vars(record)) for record in lines.records)


def test_paths_are_made_safe_and_short(lines: pytest.LogCaptureFixture) -> None:
    """A field name comes from the model: it may be long, and may hold a line break."""
    long = "k" * 400
    answer(boxed(policy="strict"), f'{{"customer_id": "C", "a\\nb": 1, "{long}": 2}}')
    (record,) = failures(lines)
    paths = sorted(one["path"] for one in record["errors"])
    assert paths[0] == "/a\\nb"
    assert (len(paths[1]), paths[1][-3:]) == (256, "...")


def test_the_attempts_of_the_tool_are_the_limit(lines: pytest.LogCaptureFixture) -> None:
    """max_retries is the budget of attempts that holds for this call."""
    box = Toolbox()

    @box.tool(attempts=5)
    def ping(n: int) -> int:
        """Give it back."""
        return n

    answer(box, "{}", name="ping")
    assert failures(lines)[0]["max_retries"] == 5


def test_each_outcome_has_its_level() -> None:
    """The six of seed 000, and that of shadow mode."""
    assert {name: logging.getLevelName(level) for name, level in OUTCOME_LEVELS.items()} == {
        "no_retry": "DEBUG",
        "success": "INFO",
        "llm_gave_up": "INFO",
        "not_enforced": "INFO",
        "redundant": "WARNING",
        "exhausted": "WARNING",
        "fabricated_id_on_retry": "WARNING",
    }


def test_a_good_call_costs_no_entry(caplog: pytest.LogCaptureFixture) -> None:
    """Nothing is built for a line that nobody wants."""
    caplog.set_level(logging.INFO, logger="handrail")
    box = boxed()
    with box.turn() as turn:
        turn.answer_sync(ToolCall("c", "search_orders", GOOD))
        bad = turn.answer_sync(ToolCall("d", "search_orders", BAD))
    reader = LogLines("shop")
    wanted = [
        type(entry.message) for entry in box.journal if reader.wants(entry.message, entry.outcome)
    ]
    assert bad.is_error is True
    assert wanted == [AskModel, Close]
    assert AskTool not in wanted
