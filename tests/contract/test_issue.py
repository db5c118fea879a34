"""One thing wrong, the code table, and JSON Pointers."""

import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.contract.issue import (
    CODES,
    CONTRACT,
    Issue,
    Severity,
    Suggestion,
    join_pointer,
    split_pointer,
)

parts = st.lists(st.text() | st.sampled_from(["~", "/", "~1", "~0", "~01", ""]))


def placeholders(template: str) -> set[str]:
    """Names that a message template wants filled."""
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


def test_the_contract_has_a_version() -> None:
    """The version is printed in every machine-readable form."""
    assert CONTRACT == "handrail/1"


def test_codes_are_numbered_without_gaps() -> None:
    """VAL-001 to VAL-020, BUD-001 to BUD-004 and MEND: codes are never renumbered."""
    numbered = [f"VAL-{n:03}" for n in range(1, 21)] + [f"BUD-{n:03}" for n in range(1, 5)]
    assert list(CODES) == [*numbered, "MEND"]


def test_every_row_is_its_own_key() -> None:
    """Code and slug each name one row."""
    assert [key for key, row in CODES.items() if row.code != key] == []
    assert len({row.slug for row in CODES.values()}) == len(CODES)
    assert [
        row.slug for row in CODES.values() if not re.fullmatch("[a-z]+(_[a-z]+)*", row.slug)
    ] == []


def test_the_table_cannot_be_changed() -> None:
    """Nobody adds a code at run time."""
    with pytest.raises(TypeError):
        CODES["VAL-021"] = CODES["VAL-001"]  # type: ignore[index]


@pytest.mark.parametrize("code", list(CODES))
def test_a_template_is_filled_whole(code: str) -> None:
    """Every word given to `Issue.of` is found in the message, and no brace is left."""
    words = {name: f"word-{name}" for name in placeholders(CODES[code].message)}
    issue = Issue.of(code, "/a", **words)  # type: ignore[arg-type]
    assert [word for word in words.values() if word not in issue.message] == []
    assert not set("{}") & set(issue.message)
    assert (issue.code, issue.slug, issue.path) == (code, CODES[code].slug, "/a")


def test_a_missing_word_is_a_programming_error() -> None:
    """A message with a hole never reaches a model."""
    with pytest.raises(KeyError, match="field"):
        Issue.of("VAL-001", "/a")


def test_of_keeps_what_it_is_given() -> None:
    """Expected and actual fill the message and stay fields of the issue."""
    issue = Issue.of(
        "VAL-002", "/n", severity=Severity.WARNING, expected="integer", actual="string", hint="x"
    )
    assert issue == Issue(
        code="VAL-002",
        path="/n",
        message="Type mismatch: expected integer, got string",
        severity=Severity.WARNING,
        slug="type_mismatch",
        expected="integer",
        actual="string",
        hint="x",
    )


def test_an_own_code_gets_a_slug() -> None:
    """Codes of an author's own checks need no row."""
    assert Issue("OUT_OF_STOCK", "", "nothing left").slug == "out_of_stock"


def test_a_given_slug_stays() -> None:
    """The slug is derived only where it is not given."""
    assert Issue("VAL-001", "", "m", slug="own").slug == "own"


def test_replace_leaves_the_original() -> None:
    """An issue is frozen; a change is a new issue."""
    before = Issue("VAL-015", "/a", "no")
    assert before.replace(path="/b") == Issue("VAL-015", "/b", "no")
    assert before.path == "/a"


def test_to_dict_leaves_out_what_is_absent() -> None:
    """A bare issue is five words."""
    assert Issue("VAL-015", "/a", "no").to_dict() == {
        "code": "VAL-015",
        "slug": "semantic",
        "path": "/a",
        "message": "no",
        "severity": "error",
    }


def test_to_dict_tells_the_suggestion_as_a_patch() -> None:
    """Hints and edits are there where they are known."""
    edit = Suggestion(({"op": "remove", "path": "/limit"},))
    told = Issue("VAL-005", "/limit", "m", hint="Remove /limit.", suggestion=edit).to_dict()
    assert told["hint"] == "Remove /limit."
    assert told["suggestion"] == [{"op": "remove", "path": "/limit"}]


@given(parts)
def test_a_pointer_gives_its_parts_back(names: list[str]) -> None:
    """RFC 6901: splitting undoes joining, whatever the names hold."""
    assert split_pointer(join_pointer(names)) == names


@pytest.mark.parametrize(
    ("names", "pointer"),
    [
        ([], ""),
        ([""], "/"),
        (["a/b", 0], "/a~1b/0"),
        (["m~n"], "/m~0n"),
        (["~1"], "/~01"),
    ],
)
def test_pointers_of_the_rfc(names: list[str | int], pointer: str) -> None:
    """The examples of RFC 6901, section 5."""
    assert join_pointer(names) == pointer
