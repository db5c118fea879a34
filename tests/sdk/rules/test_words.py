"""Rules about the words that a model chooses by."""

from pathlib import Path

import pytest

from extensions import found, rules_of

LIST = "List every book of the shelf."
BROKEN = [
    ("V44", ("Count the books of the shelf.", LIST)),
    ("V44", ("Count the books of the shelf.", "list every books of a shelf")),
    ("V44", ('"count_books", scopes', '"listBooks", scopes')),
    ("V45", (LIST, "I will list every book of the shelf.")),
    ("V45", (LIST, "I'll list every book of the shelf.")),
    ("V45", (LIST, "You should use it to list books.")),
    ("V45", (LIST, "Lists books, as we all do here.")),
    ("V45", ("Count the books of the shelf.", "I count the books of the shelf.")),
]
FINE = [
    (LIST, "List the books of phase I of the shelf."),
    (LIST, "List your books, by I/O speed and volume I."),
    (LIST, "List every book that has a title."),
]


@pytest.mark.parametrize(("rule", "edit"), BROKEN)
def test_rule_finds_what_breaks_it(tmp_path: Path, rule: str, edit: tuple[str, str]) -> None:
    """One edit, one rule."""
    assert rules_of(found(tmp_path, edit)) == [rule]


@pytest.mark.parametrize("edit", FINE)
def test_rules_let_pass_what_is_just_right(tmp_path: Path, edit: tuple[str, str]) -> None:
    """The nearest thing that is allowed."""
    assert found(tmp_path, edit, strict=True) == []


def test_v44_names_both(tmp_path: Path) -> None:
    """So that one of them can be changed."""
    (issue,) = found(tmp_path, ("Count the books of the shelf.", LIST))
    assert issue.message == "a model cannot tell count_books from list_books"
