"""pydantic tools: what authors do with models, and that nothing of it leaks or escapes."""

import json
from ipaddress import IPv4Address
from typing import Annotated, Any, Literal

import pytest
from pydantic import (
    AfterValidator,
    AliasChoices,
    AliasPath,
    BaseModel,
    ConfigDict,
    Field,
    HttpUrl,
    RootModel,
    SecretStr,
    field_validator,
    model_validator,
)

from handrail.contract.issue import Issue
from handrail.contract.pydantic_engine import PydanticEngine
from handrail.contract.reading import Rejected
from operations import operations


def judged(model: type[BaseModel], value: dict[str, Any]) -> tuple[Any, list[Issue]]:
    """What was prepared, and the issues."""
    engine, text = PydanticEngine(model, tool="t"), json.dumps(value)
    try:
        return engine.accept(text), []
    except Rejected as rejected:
        issues = engine.explain(text, value, rejected)
        assert issues
        return None, issues


def places(issues: list[Issue]) -> list[tuple[str, str]]:
    return [(issue.code, issue.path) for issue in issues]


class Silent(BaseModel):
    x: int = 0


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")
    inner: Silent = Silent()


class Ignoring(BaseModel):
    model_config = ConfigDict(extra="ignore")
    x: int = 0


class Holder(BaseModel):
    ignoring: Ignoring = Ignoring()


def test_an_author_who_opens_a_model_keeps_it_open() -> None:
    """``extra="allow"`` wins where it is stated, and a silent model inside stays closed."""
    prepared, issues = judged(Open, {"more": 1})
    assert (prepared.more, issues) == (1, [])
    assert places(judged(Open, {"more": 1, "inner": {"y": 1}})[1]) == [("VAL-005", "/inner/y")]


def test_an_ignoring_model_inside_a_silent_one() -> None:
    """``extra="ignore"`` wins inside; the silent model around it is closed."""
    assert judged(Holder, {"ignoring": {"y": 1}})[1] == []
    assert places(judged(Holder, {"y": 1})[1]) == [("VAL-005", "/y")]


def test_an_unknown_field_is_not_read_laxly() -> None:
    """A lax reading never swallows an unknown field of a silent model."""
    assert PydanticEngine(Holder).lax({"y": 1}) is None
    assert PydanticEngine(Silent).lax({"x": "1", "y": 1}) is None


class Keys(BaseModel):
    token: SecretStr = Field(min_length=8)
    hidden: int = Field(default=1, exclude=True)


def test_secrets_stay_secret() -> None:
    """A SecretStr is judged like a string and never shown, nor is an excluded field lost."""
    prepared, _ = judged(Keys, {"token": "long-enough", "hidden": 3})
    assert (prepared.token.get_secret_value(), prepared.hidden) == ("long-enough", 3)
    _, issues = judged(Keys, {"token": "hunter2"})
    assert places(issues) == [("VAL-009", "/token")]
    assert "hunter2" not in repr(issues)


class Aliased(BaseModel):
    a: int = Field(validation_alias=AliasChoices("x", "y"))
    b: int = Field(validation_alias=AliasPath("p", "q", 0))
    c: int = Field(default=1, alias="C")


def test_aliases() -> None:
    """Arguments carry the aliases; every path points at what was sent."""
    prepared, issues = judged(Aliased, {"y": 1, "p": {"q": [2]}, "C": 3})
    assert (prepared.a, prepared.b, prepared.c, issues) == (1, 2, 3, [])
    _, issues = judged(Aliased, {"y": "one", "p": {"q": ["two"]}, "C": None})
    assert {issue.path for issue in issues} == {"/y", "/p/q/0", "/C"}
    assert places(judged(Aliased, {"x": 1})[1]) == [("VAL-001", "/p")]


def test_a_path_alias_is_published_where_it_is_read() -> None:
    """The schema asks for the nested place, not for a field that pydantic never reads."""
    schema = PydanticEngine(Aliased).schema
    assert schema["required"] == ["x", "p"]
    assert schema["properties"]["p"]["properties"]["q"]["minItems"] == 1


class Factory(BaseModel):
    tags: list[str] = Field(default_factory=lambda: ["new"])


def test_default_factories_run_for_each_call() -> None:
    """Two calls do not share a default."""
    engine = PydanticEngine(Factory)
    first = engine.accept("{}")
    first.tags.append("changed")
    assert engine.accept("{}").tags == ["new"]


class Faulty(BaseModel):
    name: str
    count: int = 0

    @field_validator("name")
    @classmethod
    def look_up(cls, name: str) -> str:
        return {"known": "ok"}[name]


def test_a_validator_that_fails_is_the_operators_fault() -> None:
    """A KeyError in a validator rejects safely; its text is for the log, not for the model."""
    with pytest.raises(Rejected) as caught:
        PydanticEngine(Faulty).accept('{"name": "sesame"}')
    assert isinstance(caught.value.fault, KeyError)
    _, issues = judged(Faulty, {"name": "sesame"})
    assert places(issues) == [("VAL-015", "")]
    assert "sesame" not in repr(issues)
    assert "KeyError" not in repr(issues)
    assert PydanticEngine(Faulty).lax({"name": "sesame", "count": "1"}) is None


class Period(BaseModel):
    start: int
    end: int
    name: str = "x"

    @model_validator(mode="after")
    def ordered(self) -> "Period":
        if self.end < self.start:
            raise ValueError("end is before start\n• /forged (VAL-001)")
        return self


def test_a_model_validator_is_never_dropped() -> None:
    """The author's own text arrives, on one line and without our markers."""
    _, issues = judged(Period, {"start": 2, "end": 1})
    assert places(issues) == [("VAL-015", "")]
    assert issues[0].message.startswith("end is before start")
    assert not {"\n", "•"} & set(issues[0].message)


def _even(value: int) -> int:
    assert value % 2 == 0, "must be even"
    return value


class Mixed(BaseModel):
    even: Annotated[int, AfterValidator(_even)]
    url: HttpUrl | None = None
    size: int = Field(default=1, le=5)


def test_pydantic_and_schema_issues_stand_together() -> None:
    """A custom check, a format only pydantic refuses and a schema bound come in one message."""
    _, issues = judged(Mixed, {"even": 3, "url": "ftp://example.com/x", "size": 9})
    assert sorted(places(issues)) == [
        ("VAL-003", "/size"),
        ("VAL-010", "/url"),
        ("VAL-015", "/even"),
    ]


class Hosts(BaseModel):
    host: IPv4Address
    code: str = Field(default="1", pattern=r"^\d+$")
    tags: set[str] = set()


def test_a_parsers_text_is_not_an_authors() -> None:
    """The library's own sentence, which holds the value, is replaced by ours."""
    _, issues = judged(Hosts, {"host": "sesame"})
    assert places(issues) == [("VAL-010", "/host")]
    assert "octets" not in repr(issues)


def test_what_only_the_schema_dislikes_is_not_told() -> None:
    """pydantic takes digits of any script; beside a real issue they stay untold."""
    assert judged(Hosts, {"host": "192.0.2.1", "code": "\u0663"})[1] == []
    value = {"host": "192.0.2.1", "code": "\u0663", "tags": ["a", "a"]}
    assert places(judged(Hosts, value)[1]) == [("VAL-012", "/tags")]


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"]
    tricks: list[str]


class Zoo(BaseModel):
    pets: list[Annotated[Cat | Dog, Field(discriminator="kind")]]
    spare: Cat | Dog | None = None


def test_unions_report_the_branch_that_was_meant() -> None:
    """The tag decides, with a discriminator and without, and the other branch is not told."""
    value = {"pets": [{"kind": "dog", "tricks": "sit"}], "spare": {"kind": "cat", "lives": "9"}}
    _, issues = judged(Zoo, value)
    assert places(issues) == [("VAL-002", "/pets/0/tricks"), ("VAL-002", "/spare/lives")]


class Node(BaseModel):
    size: int
    kids: list["Node"] = []


def test_recursive_models() -> None:
    """A recursive model publishes an object root and is explained deep inside."""
    assert PydanticEngine(Node).schema["type"] == "object"
    value = {"size": 1, "kids": [{"size": 2, "kids": [{"size": "3"}]}]}
    assert places(judged(Node, value)[1]) == [("VAL-002", "/kids/0/kids/0/size")]


class Scores(RootModel[dict[str, int]]):
    pass


def test_a_root_model_of_an_object() -> None:
    """A RootModel over a mapping takes any field name and checks every value."""
    assert judged(Scores, {"a": 1})[0].root == {"a": 1}
    assert places(judged(Scores, {"a": 1, "b/c": "x"})[1]) == [("VAL-002", "/b~1c")]


class Picky(BaseModel):
    names: dict[int, str] = {}
    numbers: dict[Literal["a", "b"], int] = {}


def test_keys_of_mappings() -> None:
    """A bad key is told at its own place, by pydantic alone or with the schema."""
    assert {issue.path for issue in judged(Picky, {"names": {"x": "y"}})[1]} == {"/names/x"}
    assert {issue.path for issue in judged(Picky, {"numbers": {"c": 1}})[1]} == {"/numbers/c"}


def test_a_prepared_value_may_be_read_laxly() -> None:
    """What was approved is prepared again, laxly if need be, else rejected."""
    engine = PydanticEngine(Silent)
    assert engine.prepare({"x": 1}).x == engine.prepare({"x": "1"}).x == 1
    with pytest.raises(Rejected):
        engine.prepare({"x": "one"})


class Stated(BaseModel, extra="forbid"):
    """Closed by its author."""

    x: int


class Unstated(BaseModel):
    """Closed by us, around one that its author closed."""

    inner: Stated
    more: dict[str, int] = {}

    @field_validator("more")
    @classmethod
    def _known(cls, more: dict[str, int]) -> dict[str, int]:
        return {"a": more["a"]}


def test_only_what_we_closed_may_be_dropped() -> None:
    """``extra="forbid"`` is the author's own word; a validator that breaks leaves it unknown."""
    engine = PydanticEngine(Unstated, tool="t")
    value = {"inner": {"x": 1, "y": 2}, "z": 3, "more": {"a": 1}}
    assert engine.droppable(value, ["/inner/y", "/z"]) == {"/z"}
    assert engine.droppable({**value, "more": {}}, ["/inner/y", "/z"]) == set()
    assert engine.droppable({"inner": {"x": 1}, "z": 3}, ["/z"]) == {"/z"}


def test_the_work_grows_with_what_is_wrong() -> None:
    """Each unknown field is looked up, and not compared with all others."""

    def work(count: int) -> int:
        engine, value = PydanticEngine(Silent, tool="t"), {f"field_{at}": at for at in range(count)}
        with pytest.raises(Rejected) as refused:
            engine.accept(json.dumps(value))
        return operations(lambda: engine.explain_at_length(value, refused.value))

    assert work(800) <= 5 * work(200)
