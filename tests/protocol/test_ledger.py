"""The hash chain: whatever is changed, removed or moved is found and named."""

import hashlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.protocol.ledger import (
    GENESIS,
    Break,
    LedgerHead,
    LedgerRow,
    breaks,
    ledger_row,
    link,
)


def chain(length: int) -> tuple[list[LedgerRow], LedgerHead]:
    """That many rows, and where they end."""
    head, rows = LedgerHead(0, GENESIS), []
    for number in range(length):
        row = ledger_row(head, f"c{number}", float(number), {"tool": "pay", "n": number})
        head = LedgerHead(row.number, row.hash)
        rows.append(row)
    return rows, head


def kinds(rows: list[LedgerRow], head: LedgerHead) -> list[tuple[str, int]]:
    """What is found, and where."""
    return [(one.kind, one.number) for one in breaks(rows, head)]


def test_a_row_is_linked_by_its_text() -> None:
    """The formula is public: anybody may verify a chain without us."""
    text = '{"at":1.5,"id":"c1","note":"\\u00e9","user":"u1"}'
    row = ledger_row(LedgerHead(0, GENESIS), "c1", 1.5, {"user": "u1", "note": "é"})
    expected = hashlib.sha256(f"{GENESIS}\n{text}".encode()).hexdigest()
    assert row == LedgerRow(1, "c1", 1.5, "u1", "", "", "", text, GENESIS, expected)
    assert row.body == {"at": 1.5, "id": "c1", "note": "é", "user": "u1"}


def test_what_rows_are_found_by_is_bounded() -> None:
    """The body has it whole, and the chain holds."""
    row = ledger_row(LedgerHead(0, GENESIS), "c1", 0.0, {"tool": "é" * 9_000})
    assert (row.tool, len(row.body["tool"])) == ("é" * 200, 9_000)
    assert kinds([row], LedgerHead(1, row.hash)) == []


@pytest.mark.parametrize("length", [0, 1, 5])
def test_a_whole_chain_has_no_breaks(length: int) -> None:
    """Of any length."""
    assert kinds(*chain(length)) == []


@pytest.mark.parametrize(
    "change",
    [
        {"text": '{"at":2.0,"id":"c2","n":9,"tool":"pay"}'},
        {"tool": "other"},
        {"user": "u2"},
        {"id": "c9"},
        {"at": 9.0},
        {"hash": "f" * 64},
    ],
    ids=lambda one: next(iter(one)),
)
def test_an_edited_row_is_named(change: dict[str, Any]) -> None:
    """Also where only a column that rows are found by was changed."""
    rows, head = chain(5)
    rows[2] = rows[2]._replace(**change)
    assert ("edited", 3) in kinds(rows, head)


@pytest.mark.parametrize("text", ["[]", "not json", "1"])
def test_a_forged_text_is_no_reason_to_fail(text: str) -> None:
    """Even with a hash that fits."""
    rows, head = chain(3)
    rows[1] = rows[1]._replace(text=text, hash=link(rows[1].prev_hash, text))
    assert kinds(rows, head) == [("edited", 2), ("moved", 3)]


def test_a_removed_row_is_named() -> None:
    """In the middle, at the beginning and at the end."""
    rows, head = chain(6)
    assert list(breaks([*rows[:2], *rows[4:]], head)) == [
        Break("removed", 5, "rows 3 to 4 are missing before row 5")
    ]
    assert list(breaks(rows[1:], head)) == [Break("removed", 2, "row 1 is missing before row 2")]
    assert list(breaks(rows[:5], head)) == [Break("cut", 5, "row 6 is missing at the end")]
    assert list(breaks([], head)) == [Break("cut", 0, "rows 1 to 6 are missing at the end")]


def test_rows_that_changed_places_are_named() -> None:
    """With the numbers of the places where they stand now."""
    rows, head = chain(5)
    rows[1], rows[2] = rows[2]._replace(number=2), rows[1]._replace(number=3)
    assert kinds(rows, head) == [("moved", 2), ("moved", 3), ("moved", 4)]


def test_a_removed_row_whose_gap_was_closed_is_named() -> None:
    """Renumbering the rest hides nothing."""
    rows, head = chain(4)
    left = [row._replace(number=n) for n, row in enumerate([rows[0], *rows[2:]], 1)]
    assert kinds(left, head) == [("moved", 2), ("cut", 3)]


def test_a_chain_that_was_rebuilt_ends_otherwise() -> None:
    """A head that was noted elsewhere gives it away."""
    _, head = chain(3)
    rows, _ = chain(2)
    rows.append(ledger_row(LedgerHead(2, rows[-1].hash), "c2", 2.0, {"tool": "other"}))
    assert kinds(rows, head) == [("cut", 3)]


@given(st.integers(1, 8), st.data())
def test_any_lost_row_is_found(length: int, data: st.DataObject) -> None:
    """Whichever rows are taken away."""
    rows, head = chain(length)
    lost = data.draw(st.sets(st.integers(0, length - 1), min_size=1))
    assert kinds([row for n, row in enumerate(rows) if n not in lost], head) != []


@pytest.mark.parametrize("bad", [{"a": object()}, {"a": float("nan")}])
def test_only_json_has_a_place_in_it(bad: dict[str, Any]) -> None:
    """What cannot be spelt is refused."""
    with pytest.raises((TypeError, ValueError)):
        ledger_row(LedgerHead(0, GENESIS), "c1", 0.0, bad)
