"""Likeness of names: the figure of difflib, and what counts as equal."""

from difflib import SequenceMatcher

from hypothesis import given
from hypothesis import strategies as st

from handrail.contract.similarity import MAX_COMPARED_LENGTH, bare, similar, similarities

few_letters = st.text(alphabet="abcA-_ ", max_size=90)
texts = st.one_of(few_letters, st.text(max_size=90))


@given(texts, texts)
def test_it_is_the_figure_of_difflib(one: str, other: str) -> None:
    """Except that 1 is kept for texts that are equal without case and separators."""
    expected = SequenceMatcher(None, bare(one), bare(other), autojunk=False).ratio()

    found = similar(one, other)

    assert found == (1.0 if bare(one) == bare(other) else min(0.99, expected))


@given(texts)
def test_case_and_separators_do_not_count(text: str) -> None:
    """Only letters and digits of the beginning are compared, in one case."""
    kept = [char for char in text[:MAX_COMPARED_LENGTH].casefold() if char.isalnum()]

    assert bare(text) == "".join(kept)
    assert similar(text[:70], f"-{text[:70]}_") == 1.0


@given(texts, st.lists(texts, max_size=5))
def test_many_are_compared_as_one_by_one(one: str, others: list[str]) -> None:
    """The list has the figure of each pair, in order."""
    assert similarities(one, others) == [similar(one, other) for other in others]


def test_a_slip_is_near_and_another_word_is_not() -> None:
    """Figures that hints depend on."""
    assert similar("customerId", "customer-ID") == 1.0
    assert similar("priorty", "priority") > 0.9
    assert similar("urgent", "low") == 0.0


def test_both_sides_of_the_longest_block_count() -> None:
    """Whatever is left over on the other side."""
    assert similar("abxcde", "abycde") == 10 / 12
    assert similar("cdexab", "cdeyab") == 10 / 12
    assert similar("abcx", "dabc") == 6 / 8
    assert similar("xabyabcz", "uabvabcw") == 10 / 16
    assert similar("aba", "ab") == similar("ab", "aba") == 4 / 5


def test_only_equal_names_are_wholly_alike() -> None:
    """However long they are."""
    assert similar("a" * 79, "a" * 80) == 0.99
