"""The values of a log."""

import pytest

from handrail.replay.records import Definition, Offer, Place, Recorded, Unreadable, content_key


def test_place_is_written_as_editors_know_it() -> None:
    """File and line, joined by a colon."""
    assert str(Place("log.jsonl", 7)) == "log.jsonl:7"


def test_unreadable_is_two_sentences() -> None:
    """What is wrong, and the way out."""
    item = Unreadable(Place("log.jsonl", 2), "the line is not JSON", "correct it")
    assert str(item) == "log.jsonl:2: the line is not JSON. correct it."


def test_offer_gives_schemas_only_where_there_are_some() -> None:
    """What is no schema is an empty one, so that calls in text are found all the same."""
    place = Place("log.jsonl", 1)
    good = Definition(place=place, name="a", schema={"type": "object"})
    bad = Definition(place=place, name="b", schema="nonsense")
    assert Offer({"a": good, "b": bad}).schemas == {"a": {"type": "object"}, "b": {}}


def test_content_key_tells_values_apart() -> None:
    """Equal values have equal keys, NaN included; others have not."""
    nan = float("nan")
    assert content_key([{"a": nan}]) == content_key([{"a": nan}])
    assert content_key([{"a": 1}]) != content_key([{"a": "1"}])


@pytest.mark.parametrize(
    ("error", "failed"),
    [(None, None), (False, False), (True, True), ("timeout", True), ("", False)],
)
def test_failed_is_known_where_the_log_speaks_of_errors(error: object, failed: bool | None) -> None:
    """An error is a flag or a text; silence says nothing."""
    assert Recorded(place=Place("log.jsonl", 1), tool="t", error=error).failed is failed
