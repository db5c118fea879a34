"""The laws hold for tools in order, and each of them can fail."""

import subprocess
import sys
from typing import Any

import pytest
from pydantic import BaseModel, field_validator

from handrail import Tool, Toolbox
from handrail.testing import laws
from parts import shop

OPEN: dict[str, Any] = {"type": "object", "properties": {"n": {"type": "integer"}}}
COUNT = {**OPEN, "additionalProperties": False}


def box_of(tool: Tool) -> Toolbox:
    """A toolbox with one tool."""
    return Toolbox([tool])


def test_tools_in_order_pass_and_none_runs() -> None:
    """Read, write and destructive ones, by function and by schema."""
    box, ran = shop()
    box.add(Tool.from_json_schema("count", "Counts.", COUNT))
    laws(box)
    assert ran == []


def never(args: dict[str, object]) -> str:
    """A check that nothing passes."""
    return "No."


def broken(args: dict[str, object]) -> None:
    """A check with a fault."""
    raise KeyError("n")


@pytest.mark.parametrize(
    ("handler", "terms", "law"),
    [
        (None, {"check_input": never}, "none of .* that its schema accepts was accepted"),
        (None, {"check_input": broken}, "code of its author failed: check_input|KeyError"),
        (lambda: None, {}, "its handler does not take accepted arguments"),
        (lambda n=0: None, {"format_issue": lambda issue: 1}, "format_issue returned int"),
        (lambda n=0: None, {"format_issue": lambda issue: 1 / 0}, "raised ZeroDivisionError"),
    ],
)
def test_a_law_that_does_not_hold(handler: Any, terms: dict[str, Any], law: str) -> None:
    """Is told with the tool's name."""
    box = box_of(Tool.from_json_schema("count", "Counts.", COUNT, handler, **terms))
    with pytest.raises(AssertionError, match=f"tool 'count': .*({law})"):
        laws(box, max_examples=30)


def test_a_schema_that_accepts_nothing_is_told() -> None:
    """There is nothing to try."""
    schema = {**COUNT, "properties": {"n": False}, "required": ["n"]}
    with pytest.raises(AssertionError, match="accepts could be generated"):
        laws(box_of(Tool.from_json_schema("count", "Counts.", schema)))


def test_an_open_schema_needs_a_handler_that_takes_anything() -> None:
    """What the schema lets through reaches the handler."""
    laws(box_of(Tool.from_json_schema("count", "Counts.", OPEN, lambda **more: None)))
    box = box_of(Tool.from_json_schema("count", "Counts.", OPEN, lambda n=0: None))
    with pytest.raises(AssertionError, match="does not take accepted arguments"):
        laws(box)


def test_a_validator_with_a_fault_is_found() -> None:
    """A KeyError is no verdict."""

    class Args(BaseModel):
        n: int = 0

        @field_validator("n")
        @classmethod
        def known(cls, n: int) -> int:
            """Only some numbers are known."""
            return {0: 0}[n]

    box = box_of(Tool("count", "Counts.", lambda args: None, Args))
    with pytest.raises(
        AssertionError, match=r"tool 'count': code of its author failed: .*KeyError"
    ):
        laws(box)


def test_without_hypothesis_it_says_what_to_install() -> None:
    """And the rest of the module works."""
    code = (
        "import sys; sys.modules['hypothesis'] = None\n"
        "from handrail import ConfigError, Toolbox\n"
        "from handrail.testing import AutoHuman, laws\n"
        "try: laws(Toolbox())\n"
        "except ConfigError as error: print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=30
    )
    assert done.stdout.strip() == "laws() needs hypothesis: pip install hypothesis"
