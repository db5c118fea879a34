"""What a handler raised, as the model is told it."""

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail import Tool, ToolError
from handrail.contract.failures import Failure
from handrail.contract.output import result_of
from handrail.contract.raised import judge_failure
from handrail.contract.verdict import VERDICTS
from snapshots import matches_snapshot

MARK = "db7internal9host"


def search(query: str) -> object:
    """Search."""
    return query


TOOL = Tool.from_function(search)


def answered(status: int, body: str = "", **headers: str) -> Exception:
    """An exception that carries a response."""
    error = ValueError(MARK)
    vars(error)["response"] = SimpleNamespace(status_code=status, text=body, headers=headers)
    return error


CASES = {
    "timeout": TimeoutError(MARK),
    "key": KeyError(MARK),
    "answer 404": answered(404),
    "answer 422": answered(422, '{"detail": "query is too short"}'),
    "answer 500": answered(500, f'{{"detail": "{MARK}"}}'),
    "answer 429": answered(429, **{"retry-after": "12"}),
    "own": ToolError("semantic_garbage", "no_rows", "no rows for a name", "Search by id."),
}


@pytest.mark.parametrize("name", CASES)
def test_each_is_told_without_its_text(name: str) -> None:
    """The operator has the text; the model a class, and a reference where that is all."""
    output = judge_failure(TOOL, CASES[name], {"query": "a"}, at=0.0, reference="ab12")
    content = result_of(TOOL, output, call_id="c").content
    assert MARK not in content
    assert matches_snapshot(content, f"raised_{name.replace(' ', '_')}")
    if not isinstance(CASES[name], ToolError):
        assert MARK in (output.host_advice or "")


def test_the_reference_is_all_that_a_fault_inside_says() -> None:
    """And an unknown row is a fault inside."""
    output = judge_failure(TOOL, Failure("nonsense"), reference="ab12")
    assert output.code == "internal"
    assert "(reference ab12)" in str(output.told)
    assert "reference" not in str(judge_failure(TOOL, Failure("internal")).told)


def test_a_detail_that_is_given_goes_to_the_operator() -> None:
    """In place of the exception's own."""
    assert judge_failure(TOOL, KeyError("x"), detail="see ab12").host_advice == "see ab12"


class Hostile(Exception):
    """Its text cannot be had."""

    def __str__(self) -> str:
        raise RuntimeError(MARK)


def exceptions() -> list[type[Exception]]:
    """Every exception that Python has, and its children that are loaded."""
    found, waiting = [], [Exception]
    while waiting:
        kind = waiting.pop()
        if kind not in found:
            found.append(kind)
            waiting += kind.__subclasses__()
    return found


def instance(kind: type[Exception]) -> Exception | None:
    """One with the mark in its text, where it can be made so."""
    for args in ((MARK,), (MARK, MARK), ()):
        try:
            return kind(*args)
        except Exception:
            continue
    return None


def test_every_loaded_exception_has_a_class_and_hides_its_text() -> None:
    """Hundreds of types, of Python and of what is installed."""
    made = [error for kind in exceptions() if (error := instance(kind)) is not None]
    assert len(made) > 100
    for error in [*made, Hostile()]:
        output = judge_failure(TOOL, error, {})
        assert output.error_class in {row.error_class for row in VERDICTS.values()}
        assert output.is_error
        if not issubclass(type(error), ToolError):  # some lie about their class
            assert MARK not in str(output.told), type(error)


@given(
    st.text(min_size=1),
    st.dictionaries(
        st.sampled_from(["status", "status_code", "code", "errno", "response", "reason", "orig"]),
        st.none() | st.integers() | st.text() | st.builds(KeyError, st.text()),
    ),
)
def test_no_text_of_an_exception_is_told(text: str, fields: dict[str, Any]) -> None:
    """Whatever its attributes: the words are the table's."""
    error = RuntimeError(f"{MARK}{text}")
    vars(error).update(fields)
    output = judge_failure(TOOL, error, {})
    assert MARK not in str(output.told)
    assert output.is_error
