"""``handrail replay`` from the command line, with a real toolbox."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from handrail.cli.app import app

APP = """
from typing import Literal
from pydantic import BaseModel, Field
from handrail import Toolbox

class Order(BaseModel):
    id: str
    surname: str
    status: Literal["placed", "shipped"]

class Found(BaseModel):
    orders: list[Order] = Field(min_length=1)
    has_more: bool = False

box = Toolbox(name="shop")

@box.tool()
def search_orders(customer_id: str, page: int = 1) -> Found:
    '''List orders.'''
    raise AssertionError("a replay runs no tool")

@box.tool(action_type="destructive")
def delete_order(order_id: str) -> None:
    '''Delete an order.'''
    raise AssertionError("a replay runs no tool")
"""

ORDER = {"id": "O-1", "surname": "Vogt", "status": "placed"}


def row(result: object, error: object = False, **fields: Any) -> dict[str, Any]:
    """A recorded call of the search."""  # Any: JSON values
    arguments = {"customer_id": "C-9921", **fields.pop("more", {})}
    recorded = {"tool": "search_orders", "arguments": arguments, "result": result, "error": error}
    return {**recorded, **fields}


def orders(**changes: object) -> dict[str, Any]:  # Any: JSON values
    """A result with one order."""
    return {"orders": [{**ORDER, **changes}]}


TRAFFIC = [
    *[row(orders()) for _ in range(90)],
    *[row(orders(surname=None)) for _ in range(4)],
    *[row(json.dumps(orders(status="returned"))) for _ in range(5)],
    row({"orders": []}),
    row("down for maintenance", error=True),
    row({**orders(), "has_more": True}),
    row(orders(), more={"page": "two"}),
    {"tool": "delete_order", "arguments": {"order_id": "O-1"}, "result": None, "error": False},
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with an app and its traffic."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "app.py").write_text(APP)
    write(TRAFFIC)
    return tmp_path


def write(rows: list[Any], name: str = "log.jsonl") -> None:  # Any: JSON values
    """A log."""
    Path(name).write_text("".join(f"{json.dumps(one)}\n" for one in rows))


def replay(*options: str) -> Result:
    """The command on the log."""
    return CliRunner().invoke(app, ["replay", *options])


def test_false_alarms_come_first_and_no_tool_runs(folder: Path) -> None:
    """With the widenings that would end them, as a diff of the contract."""
    done = replay("log.jsonl", "-c", "app.py:box")
    lines = done.stdout.splitlines()
    assert done.exit_code == 1
    assert lines[0] == "Suspected false alarms: 11 of 103 accepted calls, 10.7 %"
    assert "--- search_orders returns" in lines
    at = lines.index(
        '@@ /$defs/Order/properties/status/enum @@ "returned" ×5; 4.9 % of 102 accepted calls'
    )
    assert lines[at + 1 : at + 3] == [
        '-["placed", "shipped"]',
        '+["placed", "shipped", "returned"]',
    ]
    assert '+["string", "null"]  # str | None' in lines
    assert "@@ /properties/orders/minItems @@ down to 0; 1.0 % of 102 accepted calls" not in lines
    assert "No tool was run." in done.stdout
    assert "EXCEEDED: false alarms of accepted calls 10.7 % (at most 0 %)" in lines


def test_json_says_the_same(folder: Path) -> None:
    """For a program that decides on a deploy."""
    done = replay("log.jsonl", "-c", "app.py:box", "--json")
    report = json.loads(done.stdout)
    assert (done.exit_code, report["calls"]) == (1, 104)
    assert report["false_alarms"]["input"] == 1
    assert report["false_alarms"]["output"] == 10
    assert report["outputs"]["by_class"] == {
        "ok": 91, "partial_data": 1, "schema_mismatch": 10, "tool_failed": 1,
    }  # fmt: skip
    assert report["asked"]["calls"] == 1
    pointers = [one["pointer"] for one in report["widenings"]]
    assert pointers == [
        "/$defs/Order/properties/status/enum",
        "/$defs/Order/properties/surname/type",
    ]
    assert report["widened"]["false_alarms_after"] == 2


def test_values_are_shown_only_where_asked_for(folder: Path) -> None:
    """Shapes otherwise."""
    shapes, raw = (
        replay("log.jsonl", "-c", "app.py:box"),
        replay("log.jsonl", "-c", "app.py:box", "--raw"),
    )
    assert '{"customer_id": "string(6)", "page": "string(3)"}' in shapes.stdout
    assert "C-9921" not in shapes.stdout
    assert "Vogt" not in shapes.stdout
    assert '{"customer_id": "C-9921", "page": "two"}' in raw.stdout


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("--max-false-alarms", "11%"), 0),
        (("--max-false-alarms", "10.6 %"), 1),
        (("--max-false-alarms", "11%", "--max-blocked", "1%"), 0),
        (("--max-false-alarms", "11%", "--max-blocked", "0.9%"), 1),
        (("--max-false-alarms", "11%", "--max-broken", "11%"), 0),
        (("--max-false-alarms", "11%", "--max-broken", "10%"), 1),
    ],
)
def test_limits_decide_the_exit_code(folder: Path, options: tuple[str, ...], code: int) -> None:
    """So that it can stand before a deploy."""
    assert replay("log.jsonl", "-c", "app.py:box", *options).exit_code == code


@pytest.mark.parametrize("share", ["5", "0.1", "-1%", "101%", "a%", ""])
def test_a_limit_is_a_share(folder: Path, share: str) -> None:
    """A bare number could mean either."""
    done = replay("log.jsonl", f"--max-blocked={share}")
    assert done.exit_code == 2
    assert "write one from 0% to 100%, as 0.1%" in done.stderr


def test_a_folder_is_all_its_logs(folder: Path) -> None:
    """By name; other files are passed over."""
    Path("logs").mkdir()
    write(TRAFFIC[:2], "logs/a.jsonl")
    write(TRAFFIC[:3], "logs/b.jsonl")
    Path("logs/notes.txt").write_text("no log")
    assert json.loads(replay("logs", "-c", "app.py:box", "--json").stdout)["calls"] == 5
    Path("empty").mkdir()
    assert replay("empty").exit_code == 2


def test_candidate_schemas_come_before_those_of_the_log(folder: Path) -> None:
    """The log's own contract is the one that is to be replaced."""
    own = {"type": "object", "properties": {"customer_id": {"type": "string"}}}
    closed = {**own, "properties": {"customer_id": {"maxLength": 3}}, "required": ["customer_id"]}
    write([{"name": "search_orders", "parameters": closed}], "candidate.jsonl")
    write([row(orders(), schema=own) for _ in range(30)])
    done = replay("log.jsonl", "--schemas", "candidate.jsonl", "--json")
    report = json.loads(done.stdout)
    assert report["false_alarms"]["calls"] == 30
    assert report["widenings"][0]["after"] == 6
    assert json.loads(replay("log.jsonl", "--json").stdout)["false_alarms"]["calls"] == 0


def test_nothing_judged_does_not_pass(folder: Path) -> None:
    """A wrong path must be seen."""
    write([{"tool": "other", "arguments": {}}])
    done = replay("log.jsonl")
    assert done.exit_code == 2
    assert "handrail replay: nothing was judged: the one call has no schema" in done.stderr


def test_unreadable_rows_fail(folder: Path) -> None:
    """And are told with their place."""
    with Path("log.jsonl").open("w") as log:
        log.write(json.dumps(row(orders())) + "\nnope\n")
    done = replay("log.jsonl", "-c", "app.py:box")
    assert done.exit_code == 1
    assert "log.jsonl:2: the line is not JSON" in done.stdout


def test_report_may_go_to_a_file(folder: Path) -> None:
    """Whole or not at all."""
    assert replay("log.jsonl", "-c", "app.py:box", "-o", "report.txt").stdout == ""
    assert "Suspected false alarms" in Path("report.txt").read_text()
    assert replay("lost.jsonl", "-c", "app.py:box", "-o", "other.txt").exit_code == 2
    assert not Path("other.txt").exists()


def test_help_has_an_example_and_the_exit_codes() -> None:
    """Of every command."""
    text = " ".join(replay("--help").stdout.replace("│", " ").split())
    assert "Example: handrail replay logs/ -c app.py:box --max-false-alarms 0.1%" in text
    assert "Exit codes: 0 all limits are kept" in text


def test_loops_and_what_budgets_would_have_saved(folder: Path) -> None:
    """With money, where the log states it."""
    rows = [row(orders(), conversation="c", turn=2 * number, cost=0.5) for number in range(6)]
    write(rows)
    done = replay("log.jsonl", "-c", "app.py:box")
    assert "identical calls" in done.stdout
    assert "Budgets would have saved up to 3 model calls" in done.stdout
    assert "1.5 in money" in done.stdout
