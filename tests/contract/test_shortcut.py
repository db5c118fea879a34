"""The short way of explaining says what the long way says, or stands aside."""

import datetime
import enum
import uuid
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import (
    BaseModel,
    BeforeValidator,
    Field,
    WithJsonSchema,
    create_model,
    field_validator,
)
from pydantic_core import to_json

from handrail.contract.issue import Issue
from handrail.contract.pydantic_engine import PydanticEngine
from handrail.contract.reading import Rejected
from handrail.contract.shortcut import Shortcut


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Inner(BaseModel):
    size: int
    name: Annotated[str, Field(max_length=5)] = ""


class Plain(BaseModel):
    title: Annotated[str, Field(min_length=2, max_length=5)]
    count: Annotated[int, Field(ge=1, le=9)]
    level: Literal["low", "high"] = "low"
    inner: Inner | None = None
    many: list[Inner] = []
    code: Annotated[str, Field(pattern="^[A-Z]+$")] = "A"
    day: datetime.date | None = None


def refused(engine: PydanticEngine, text: str) -> Rejected:
    with pytest.raises(Rejected) as caught:
        engine.accept(text)
    return caught.value


def both(engine: PydanticEngine, value: dict[str, Any]) -> tuple[list[Issue] | None, list[Issue]]:
    # Any: JSON values
    """What the short way and the long way say."""
    rejected = refused(engine, to_json(value).decode())
    assert rejected.error is not None
    short = Shortcut(engine.schema).explain(rejected.error, value)
    found = engine.explain_at_length(value, rejected)
    return None if short is None else short.issues, found


def accepted(engine: PydanticEngine, value: dict[str, Any]) -> bool:  # Any: JSON values
    try:
        engine.accept(to_json(value).decode())
    except Rejected:
        return False
    return True


def in_order(issues: list[Issue]) -> list[str]:
    return sorted(map(repr, issues))


@pytest.mark.parametrize(
    "wrong",
    [
        {"title": "x"},
        {"title": "much too long"},
        {"count": 0},
        {"count": 10},
        {"count": 1.5},
        {"count": "3"},
        {"count": True},
        {"count": [1]},
        {"level": "middle"},
        {"inner": 3},
        {"inner": "{}"},
        {"inner": {}},
        {"inner": {"size": "x", "name": "abcdef"}},
        {"many": [{"size": 1}, {"size": None}, {}]},
        {"many": [{"size": 1, "nam": "x"}]},
        {"code": "abc"},
        {"day": "tomorrow"},
        {"tilte": "abc"},
        {"unknown": 1, "other": 2},
    ],
)
def test_says_what_the_long_way_says(wrong: dict[str, Any]) -> None:  # Any: JSON values
    """Each plain mistake by itself, and with another one beside it."""
    engine = PydanticEngine(Plain)
    right = {"title": "abc", "count": 3}
    for value in ({**right, **wrong}, {**right, **wrong, "code": 5}, wrong):
        short, long = both(engine, value)
        if short is not None:
            assert in_order(short) == in_order(long)


def test_most_plain_mistakes_take_the_short_way() -> None:
    """Otherwise the law above would hold of nothing."""
    engine = PydanticEngine(Plain)
    right = {"title": "abc", "count": 3}
    for wrong in (
        {"title": "x"}, {"count": 0}, {"count": "3"}, {"level": "no"}, {"inner": {}}, {"code": "a"},
        {"day": "tomorrow"}, {"new": 1}, {"many": [{"size": "x"}]}, {"title": 3, "count": "x"},
    ):  # fmt: skip
        short, _ = both(engine, {**right, **wrong})
        assert short


class Doubtful(BaseModel):
    either: int | str = 0
    both: Annotated[str, Field(pattern="^a", max_length=2)] = "a"
    few: Annotated[list[int], Field(min_length=1, max_length=2)] = [1]
    own: str = ""
    said: Annotated[int, WithJsonSchema({"type": "string"})] = 0
    before: Annotated[int, BeforeValidator(lambda value: value)] = 0

    @field_validator("own")
    @classmethod
    def judged(cls, value: str) -> str:
        if value == "bad":
            raise ValueError("bad is bad")
        return value


@pytest.mark.parametrize(
    "wrong",
    [{"either": []}, {"both": "bbb"}, {"few": ["x"]}, {"few": []}, {"own": "bad"}, {"said": "x"}],
)
def test_stands_aside_where_it_cannot_know(wrong: dict[str, Any]) -> None:  # Any: JSON values
    """Unions, several rules at one place, authors' texts, schemas that say something else."""
    short, long = both(PydanticEngine(Doubtful), wrong)
    assert short is None
    assert long


def test_null_takes_the_long_way() -> None:
    """What to do about a null depends on whether the field may be left out."""
    short, _ = both(PydanticEngine(Plain), {"title": "abc", "count": None})
    assert short is None


def test_firm_errors_stay_however_the_text_is_read() -> None:
    """A missing field is missing in every reading; a number as text is not wrong in all."""
    engine = PydanticEngine(Plain)
    for value, firm in (({"count": 3}, True), ({"title": "abc", "count": "3"}, False)):
        rejected = refused(engine, to_json(value).decode())
        assert engine.is_firm(value, rejected) is firm


def test_many_errors_take_the_long_way() -> None:
    """There they are grouped and counted."""
    engine = PydanticEngine(Plain)
    short, _ = both(engine, {"title": "abc", "count": 1, "many": [{"size": "x"}] * 60})
    assert short is None


FIELDS: list[Any] = [  # Any: annotations
    int, float, bool, str, datetime.date, datetime.datetime, uuid.UUID, Colour, Inner, list[int],
    Literal["a", "b"], dict[str, int], list[Inner], int | None, str | None, Inner | None,
    Colour | None, int | str, set[int], tuple[int, str],
    Annotated[int, Field(ge=1)], Annotated[float, Field(gt=0, lt=9)],
    Annotated[str, Field(min_length=2)], Annotated[str, Field(pattern="^a")],
    Annotated[int | None, Field(ge=1, le=3)], Annotated[list[int], Field(max_length=1)],
    Annotated[int, Field(multiple_of=2)],
]  # fmt: skip
TEXTS = ["", "a", "abc", "red", "2026-05-03", "tomorrow", "[1]", "{}", "5", "true", "rde", "B"]
leaves = st.none() | st.booleans() | st.integers(-5, 12) | st.sampled_from([0.5, 2.0, *TEXTS])
values = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["size", "name", "x", "siz"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@st.composite
def models(draw: st.DrawFn) -> type[BaseModel]:
    fields: dict[str, Any] = {}  # Any: what create_model takes
    for name in draw(st.lists(st.sampled_from("abcde"), min_size=1, max_size=4, unique=True)):
        kind = draw(st.sampled_from(FIELDS))
        fields[name] = (kind, ...) if draw(st.booleans()) else (kind, None)
    if draw(st.booleans()):
        fields["f"] = (Annotated[int, Field(alias="other")], ...)
    return create_model("Made", **fields)


@settings(max_examples=300)
@given(st.data())
def test_law_of_the_short_way(data: st.DataObject) -> None:
    """For any model and any arguments: the same issues, or none of its own."""
    engine = PydanticEngine(data.draw(models()))
    names = st.sampled_from([*"abcde", "other", "A", "f"])
    for _ in range(3):
        value = data.draw(st.dictionaries(names, values, max_size=5))
        if accepted(engine, value):
            continue
        short, long = both(engine, value)
        assert short is None or in_order(short) == in_order(long)
