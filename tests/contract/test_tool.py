"""Contracts of tools: what a declaration refuses, doubts, and builds."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

from handrail import AnyOf, Context, Exclusive, Irrelevant, Ordered, Requires, Tool
from handrail.contract.terms import is_async
from handrail.errors import ContractError

SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}}


class Read(BaseModel):
    """Arguments of a tool that reads a file."""

    path: str
    limit: int = 10


class Lax(BaseModel):
    """Arguments that their author wants read laxly."""

    model_config = ConfigDict(strict=False)
    count: int


def read_file(path: str, limit: int = 10) -> list[str]:
    """Read the first lines of a file.

    And more that is of no use to a model.
    """
    return [path] * limit


def faults(make: Callable[[], object]) -> tuple[str, ...]:
    """The faults of a declaration that must fail."""
    with pytest.raises(ContractError) as caught:
        make()
    return caught.value.faults


def declared(**terms: object) -> Tool:
    """A tool of the schema above."""
    return Tool("t", "Do it.", None, SCHEMA, **terms)


# ---- names, keywords, several faults at once


@pytest.mark.parametrize("name", ["9lives", "has space", "a" * 65, "a.b", "naïve", "a\n", 3])
def test_bad_names_are_refused(name: object) -> None:
    """They must match what every provider takes."""
    expected = f"the name {name!r} must match ^[A-Za-z_][A-Za-z0-9_-]{{0,63}}$"
    assert faults(lambda: Tool(name, "d", None, SCHEMA)) == (expected,)  # type: ignore[arg-type]


@given(st.from_regex(r"[A-Za-z_][A-Za-z0-9_-]{0,63}", fullmatch=True))
def test_good_names_are_taken(name: str) -> None:
    """All of them."""
    assert Tool(name, "d", None, SCHEMA).name == name


def test_all_faults_come_in_one_error() -> None:
    """An author mends a contract in one go."""
    found = faults(
        lambda: Tool(
            "bad name",
            "d",
            None,
            SCHEMA,
            colour="red",
            action_type="delete",
            empty="never",
            attempts=11,
            mend=4,
            timeout_s=0,
            ids=["order_id"],
            rules=[Requires(when={"mode": 1}, fields=["a"])],
            examples=[{"a": "one"}],
        )
    )
    assert [fault[: len(words)] for fault, words in zip(found, WORDS, strict=True)] == WORDS


WORDS = [
    "'colour' is no contract keyword; known are action_type, attempts",
    "the name 'bad name' must match",
    "action_type='delete' must be one of read, write, destructive",
    "empty='never' must be one of advise, ok, error",
    "attempts=11 must be a whole number, 1 to 10",
    "timeout_s=0 must be a number of seconds above 0",
    "mend=4 must be 'off' or a level from 0 to 3",
    "ids names the field 'order_id', which the parameters do not have",
    "the rule Requires names the field 'mode', which the parameters do not have",
    "examples[0] does not fit the parameters: /a: Type mismatch: expected integer, got string",
]


@pytest.mark.parametrize(
    ("term", "value", "expected"),
    [
        ("attempts", "3", "attempts='3' must be a whole number, 1 to 10"),
        ("attempts", True, "attempts=True must be a whole number, 1 to 10"),
        ("max_identical", 0, "max_identical=0 must be a whole number, at least 1"),
        ("timeout_s", "5", "timeout_s='5' must be a number of seconds above 0"),
        ("mend", True, "mend=True must be 'off' or a level from 0 to 3"),
        ("action_type", [], "action_type=[] must be one of read, write, destructive"),
        ("check_input", "x", "check_input='x' must be a function"),
        ("format_issue", 3, "format_issue=3 must be a function"),
        ("when_to_use", None, "when_to_use=None must be text"),
        ("rules", None, "rules=None must be a list"),
        ("rules", ["x"], "rules[0] is no rule of handrail.rules, got 'x'"),
        ("seen_ids", ["zz"], "seen_ids names the field 'zz', which the parameters do not have"),
        ("examples", {"a": 1}, "examples={'a': 1} must be a list"),
        ("examples", [[1]], "examples[0] does not fit the parameters: (root): "),
    ],
)
def test_a_bad_term_is_a_fault(term: str, value: object, expected: str) -> None:
    """Never another exception, and the fault names the term and the value."""
    (fault,) = faults(lambda: declared(**{term: value}))
    assert fault.startswith(expected)


def test_a_bad_id_pattern_is_told_once() -> None:
    """With what is wrong about it."""
    (fault,) = faults(lambda: declared(ids={"a": "("}))
    assert fault.startswith("the id pattern of 'a' is not valid: missing )")


def test_an_example_that_is_not_json_is_a_fault() -> None:
    """It could not be shown to a model."""
    (fault,) = faults(lambda: declared(examples=[{"b": object()}]))
    assert fault == "examples[0] is not JSON (Object of type object is not JSON serializable)"


def test_from_function_joins_faults_of_terms_and_signature() -> None:
    """Both are known, so both are told."""

    def untyped(a):  # type: ignore[no-untyped-def]  # what the test is about
        """Do it."""

    found = faults(lambda: Tool.from_function(untyped, action_type="x", colour="red"))
    assert [fault.split(";")[0] for fault in found] == [
        "'colour' is no contract keyword",
        "action_type='x' must be one of read, write, destructive",
        "parameter 'a' has no type annotation",
    ]


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        (None, "params must be a pydantic model or a JSON Schema, got None"),
        (int, "params must be a pydantic model or a JSON Schema, got <class 'int'>"),
        ({"type": "objekt"}, "not a JSON Schema: "),
        ({"type": "array"}, "the root of the schema must be an object"),
    ],
)
def test_bad_parameters_are_a_fault(params: Any, expected: str) -> None:
    """A model or a schema of an object, nothing else."""
    (fault,) = faults(lambda: Tool("t", "d", None, params))
    assert fault.startswith(expected)


def test_a_pattern_that_pydantic_cannot_read_is_a_fault() -> None:
    """Look-around, for one: such a tool could not judge anything."""

    def find(name: str = Field(pattern=r"a(?=b)")) -> None:
        """Find it."""

    assert len(faults(lambda: Tool.from_function(find))) == 1


@pytest.mark.parametrize(
    "make",
    [
        lambda: Requires(when={"a": 1}, fields=[]),
        lambda: Requires(when={}, fields=["a"]),
        lambda: AnyOf("a"),
        lambda: Exclusive("a"),
        lambda: Ordered("a", "a"),
        lambda: Irrelevant(when={}, fields=["a"]),
    ],
)
def test_senseless_rules_are_refused(make: Callable[[], object]) -> None:
    """Where they are written, before any tool takes them."""
    with pytest.raises(ValueError, match=r"needs|twice"):
        make()


def test_rules_may_name_fields_of_a_union() -> None:
    """Fields that stand in a branch are fields of the parameters."""
    branch = {"type": "object", "properties": {"x": {"type": "integer"}}}
    schema = {"type": "object", "anyOf": [branch], "properties": {"y": {"type": "integer"}}}
    rule = Exclusive("x", "y")
    assert Tool("t", "d", None, schema, rules=[rule]).rules == (rule,)


# ---- doubts


def test_a_missing_description_warns_where_the_tool_is_declared() -> None:
    """Models choose tools by it; the warning points at the author's line."""
    with pytest.warns(UserWarning, match="tool 't' has no description") as caught:
        Tool("t", " ", None, SCHEMA)
    assert caught[0].filename == __file__


def test_a_function_without_docstring_warns_at_the_same_place() -> None:
    """However deep the door is."""

    def bare(a: int) -> None: ...

    with pytest.warns(UserWarning, match="tool 'bare' has no description") as caught:
        Tool.from_function(bare)
    assert caught[0].filename == __file__


def test_a_destructive_tool_warns_that_lax_reading_is_ignored() -> None:
    """The contract, section 2."""
    with pytest.warns(UserWarning, match="strict=False of its model is ignored"):
        Tool("t", "d", None, Lax, action_type="destructive")


# ---- what is built


def test_from_function_reads_name_description_and_returns() -> None:
    """The first paragraph and the annotation."""
    tool = Tool.from_function(read_file)
    said = tool.name, tool.description, tool.returns
    assert said == ("read_file", "Read the first lines of a file.", list[str])


def test_stated_terms_win_over_the_function() -> None:
    """An author may know better than the docstring."""
    tool = Tool.from_function(read_file, name="cat", description="Show it.", returns=str)
    assert (tool.name, tool.description, tool.returns) == ("cat", "Show it.", str)


def test_the_full_description_holds_hints_and_examples() -> None:
    """What a provider is given."""
    tool = Tool.from_function(
        read_file,
        when_to_use="the user names a file",
        when_not_to_use="it is a folder",
        examples=[{"path": "ä.txt"}],
    )
    assert tool.full_description.splitlines() == [
        "Read the first lines of a file.",
        "Use it when: the user names a file",
        "Do not use it when: it is a folder",
        'Example arguments: {"path": "ä.txt"}',
    ]


def test_lists_are_copied_and_one_text_is_a_list_of_it() -> None:
    """A contract does not change with the list it was made of."""
    effects = ["delete:order"]
    tool = declared(effects=effects, seen_ids="a")
    effects.append("x")
    assert (tool.effects, tool.seen_ids) == (("delete:order",), ("a",))


def test_the_fingerprint_is_what_an_approval_rests_on() -> None:
    """Kind of action and effects change it, words for the model do not."""
    first = declared()
    assert declared(when_to_use="often").fingerprint == first.fingerprint
    assert declared(action_type="write").fingerprint != first.fingerprint
    assert declared(effects=["delete:order"]).fingerprint != first.fingerprint


def test_a_tool_with_rules_or_ids_is_not_plain() -> None:
    """Only a plain one may skip the full judgement."""
    many = [declared(ids=["a"]), declared(rules=[Exclusive("a", "b")]), declared(seen_ids=["a"])]
    assert [declared().plain, *[tool.plain for tool in many]] == [True, False, False, False]


# ---- how the handler is called


def whole(params: Read) -> str:
    """One model."""
    return params.path


def same_name(path: Read) -> str:
    """One model, in a parameter that is called like a field."""
    return path.path


def fields(path: str, limit: int) -> str:
    """Field by field."""
    return path * limit


def anything(**given: object) -> str:
    """Whatever there is."""
    return str(given["path"])


def with_context(path: str, limit: int, asked: Context) -> str:
    """An annotated context."""
    return f"{asked.tool} {path}"


CONTEXT = Context("t", "c1")


@pytest.mark.parametrize("handler", [whole, same_name, fields, anything])
def test_a_handler_takes_the_model_or_its_fields(handler: Callable[..., str]) -> None:
    """As its own signature asks for it."""
    tool = Tool("t", "d", handler, Read)
    assert handler(**tool.arguments_for(Read(path="x", limit=1), None)) == "x"


def test_the_context_is_injected_by_annotation() -> None:
    """Under any name, and it is no field."""
    tool = Tool("t", "d", with_context, Read)
    assert with_context(**tool.arguments_for(Read(path="x"), CONTEXT)) == "t x"


def test_the_context_is_injected_beside_a_json_schema() -> None:
    """A foreign tool's handler may ask for it too."""

    def handler(a: int, ctx: object) -> None: ...

    tool = Tool.from_json_schema("t", "d", SCHEMA, handler)
    assert tool.arguments_for({"a": 1}, CONTEXT) == {"a": 1, "ctx": CONTEXT}


def test_a_field_named_ctx_stays_a_field() -> None:
    """What the schema states comes from the model."""
    schema = {"type": "object", "properties": {"ctx": {"type": "string"}}}
    tool = Tool.from_json_schema("t", "d", schema, lambda ctx: ctx)
    assert tool.arguments_for({"ctx": "mine"}, CONTEXT) == {"ctx": "mine"}


def test_a_handler_that_cannot_take_the_model_is_a_fault() -> None:
    """Each of its calls would fail, so the declaration does."""
    assert faults(lambda: Tool("t", "d", lambda path, mode: 0, Read)) == (
        "the handler asks for 'mode', which the parameters do not have",
        "the handler does not take the field 'limit'",
    )


def test_an_async_handler_is_known_as_one() -> None:
    """Functions and callable objects."""

    class Caller:
        async def __call__(self, path: str, limit: int) -> None: ...

    assert [is_async(one) for one in (Caller(), whole, None)] == [True, False, False]
    assert Tool("t", "d", Caller(), Read).is_async is True
