"""What a model reads of an output that is too big; the laws are in `properties/test_compaction`."""

import json
from typing import Any

import pytest

from handrail.contract.compact import compact, compact_text, smallest
from handrail.contract.tokens import count_tokens

Json = Any  # Any: JSON value

ORDERS = {
    "orders": [
        {
            "order_id": f"O-{n}",
            "name": f"Order {n}",
            "status": "open",
            "total": n * 1.5,
            "note": f"Note {n}: " + "please ring twice, the bell is broken. " * 12,
        }
        for n in range(40)
    ],
    "page": 1,
}


def tokens(value: Json) -> int:
    """By the rule of thumb."""
    return count_tokens(json.dumps(value, separators=(",", ":"), ensure_ascii=False))


def test_within_the_budget_it_is_the_same_object() -> None:
    """Untouched."""
    assert compact(ORDERS, tokens(ORDERS)) is ORDERS


def test_every_row_keeps_id_and_name_and_the_mark_says_what_went() -> None:
    """Tokens before and after, and the fields that are missing somewhere."""
    made = compact(ORDERS, 700)
    rows = made["orders"]
    assert [(row["order_id"], row["name"]) for row in rows] == [
        (row["order_id"], row["name"]) for row in ORDERS["orders"]
    ]
    told = made["_meta"]["compacted"]
    assert told["from"] == tokens(ORDERS)
    assert told["to"] == tokens(made) <= 700
    assert told["omitted"] == told["from"] - told["to"]
    assert "note" in told["fields"]
    assert made["page"] == 1


def test_a_list_is_wrapped() -> None:
    """Its mark needs an object around it."""
    made = compact(ORDERS["orders"], 700)
    assert list(made) == ["_meta", "items"]
    assert len(made["items"]) == 40


def test_the_inspected_entity_keeps_its_text() -> None:
    """The order that was asked for is whole, the others share what is left."""
    made = compact(ORDERS, 900, arguments={"order_id": "O-17"})
    assert made["orders"][17] == ORDERS["orders"][17]
    assert made["orders"][16] != ORDERS["orders"][16]
    assert len(made["orders"]) == 40


def test_the_root_is_inspected_where_no_row_is() -> None:
    """Its own text comes before the rows below it."""
    value = {"title": "T", "body": "text " * 300, "comments": ORDERS["orders"]}
    made = compact(value, 1_200)
    assert made["body"] == value["body"]
    assert len(made["comments"]) == 40


def test_a_validation_payload_keeps_its_words() -> None:
    """Seed 003: valid, error and suggestions verbatim, so that the actual argument is repaired."""
    told = {
        "valid": False,
        "error": "tool_name is required for action=call_tool",
        "suggestions": ["set tool_name to one of: light.turn_on, light.turn_off"],
    }
    made = compact({**told, "echo": ORDERS}, 200)
    assert {key: made[key] for key in told} == told


@pytest.mark.parametrize("budget", [1, 2, 5, 10, 20, 40])
def test_a_failure_never_becomes_a_success(budget: int) -> None:
    """However little room there is, nothing reads like an empty result."""
    made = compact({"valid": False, "error": "x" * 9_000, "orders": []}, budget)
    assert made == "..." or made.get("valid") is False


def test_the_least_that_can_be_said() -> None:
    """From the mark down to an ellipsis."""
    assert list(smallest({"a": 1}, 100, 5)) == [
        {"_meta": {"compacted": {"from": 100, "to": 5, "omitted": 95}}},
        {"_meta": {"compacted": True}},
        "...",
    ]
    assert list(smallest({"error": "no", "ok": False}, 100, 5))[1:] == [
        {"error": "no", "ok": False},
        {"ok": False},
        "...",
    ]


def test_a_meta_of_ones_own_stays() -> None:
    """MCP results have one; the mark stands beside what it holds."""
    made = compact({"_meta": {"trace": "t-1"}, "orders": ORDERS["orders"]}, 600)
    assert made["_meta"]["trace"] == "t-1"
    assert "compacted" in made["_meta"]


def test_what_was_compacted_before_still_says_where_it_came_from() -> None:
    """A second, smaller budget counts from the beginning."""
    once = compact(ORDERS, 700)
    twice = compact(once, 400)
    assert twice["_meta"]["compacted"]["from"] == tokens(ORDERS)


def test_a_text_that_holds_json_stays_json() -> None:
    """And is compacted like any other value."""
    text = json.dumps(ORDERS)
    made = json.loads(compact_text(text, 700))
    assert len(made["orders"]) == 40


def test_plain_text_loses_its_middle_and_says_so() -> None:
    """The footer stands below."""
    text = "".join(f"line {n}\n" for n in range(5_000))
    made = compact_text(text, 200, footer="More: read it.")
    assert made.startswith("line 0\n")
    assert "characters left out ...]\n" in made
    assert made.endswith("line 4999\n\nMore: read it.")
    assert count_tokens(made) <= 200


@pytest.mark.parametrize("value", [float("nan"), {"a": object()}, {1, 2}])
def test_what_is_no_json_does_not_raise(value: Json) -> None:
    """It is the caller's to send JSON; an ellipsis is sent rather than nothing."""
    made = compact([value, "x" * 900], 10)
    assert made == "..." or "_meta" in made


def test_too_deep_is_an_ellipsis() -> None:
    """Nobody reads a hundred levels."""
    value: Json = "x" * 900
    for _ in range(300):
        value = [value]
    assert compact(value, 10) == "..."
