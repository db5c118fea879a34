"""The middle goes, whole clusters stay, the gap is counted."""

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.contract.elide import LEFT_OUT, elide, elide_quoted, quoted_length

FAMILY = "👨‍👩‍👧"


def test_both_ends_stay_and_the_gap_is_counted() -> None:
    """The beginning gets a little more."""
    text = "".join(f"line {n}\n" for n in range(1_000))
    short = elide(text, 200, lines=True)
    head, mark, tail = short.partition("\n[... ")
    assert text.startswith(head)
    assert text.endswith(tail.partition("...]\n")[2])
    kept = len(head) + len(tail.partition("...]\n")[2])
    assert mark
    assert f"{len(text) - kept:,} characters left out" in short


def test_what_fits_is_the_same_object() -> None:
    """Nothing is copied."""
    text = "abc"
    assert elide(text, 3) is text


@pytest.mark.parametrize("room", range(3, 200))
@pytest.mark.parametrize("cluster", [FAMILY, "é", "e\u0301", "🇩🇪"])
def test_no_cluster_is_cut(cluster: str, room: int) -> None:
    """What is left are whole clusters and the mark."""
    short = elide(cluster * 300, room)
    assert len(short) <= room
    head, _, _ = short.partition(" [..." if "[" in short else LEFT_OUT)
    assert head.replace(cluster, "") == ""
    _, _, tail = short.partition("...] ")
    assert tail.replace(cluster, "") == ""


@given(text=st.text(max_size=800), room=st.integers(5, 300))
def test_a_quoted_text_fits(text: str, room: int) -> None:
    """Escapes count: a line break takes two characters in JSON."""
    short = elide_quoted(text + '"\n' * 40, room)
    assert quoted_length(short) == len(json.dumps(short, ensure_ascii=False)) <= room


def test_marks_alone_are_not_cut_apart() -> None:
    """A text that is one cluster loses all of itself rather than half."""
    text = "a" + "\u0301" * 100
    assert unicodedata.normalize("NFC", elide(text, 20)) in (LEFT_OUT, text)
