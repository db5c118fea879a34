"""Rules about the author's code."""

from pathlib import Path

import pytest

from extensions import GOOD, edited, found, loaded, rules_of
from handrail.sdk.rules.table import validate

FIRST = '    """Give all books."""\n'
DOC = ('    """Store a book."""\n', "")


def body(line: str) -> tuple[str, str]:
    """The first handler with a further line."""
    return FIRST, FIRST + f"    {line}\n"


BROKEN = [
    ("V11", DOC),
    ("V24", body('await ctx.skeleton.get("recent_books")')),
    ("V24", body("sections = ctx.skeleton")),
    ("V24", body('c = ctx; await c.skeleton.get("x")')),
    ("V24", body('a = b = ctx; d: object = a; await d.skeleton.get("x")')),
    ("V24", body('getattr(ctx, "skeleton")')),
    ("V24", body('if (own := ctx): own.skeleton.get("x")')),
    ("V32", (', code="NO_TITLE"', "")),
    ("V32", (', code="NO_TITLE"', ", True")),
]
FINE = [
    body("skeleton = ctx.store"),
    body('"ctx.skeleton"'),
    body("params.skeleton = None"),
    (', code="NO_TITLE"', ', False, "NO_TITLE"'),
    (', code="NO_TITLE"', ', **{"code": "NO_TITLE"}'),
    ("from pydantic import", "import openai_of_mine as _o\nfrom pydantic import"),
]
MINE = {"openai_of_mine.py": ""}
PROVIDERS = [
    "import openai", "import openai.types as t", "from anthropic import Anthropic",
    "import google.generativeai as genai", "from google import genai", "import litellm",
    "import importlib; importlib.import_module('mistralai')",
]  # fmt: skip


@pytest.mark.parametrize(("rule", "edit"), BROKEN)
def test_rule_finds_what_breaks_it(tmp_path: Path, rule: str, edit: tuple[str, str]) -> None:
    """One edit, one rule."""
    assert rules_of(found(tmp_path, edit)) == [rule]


@pytest.mark.parametrize("edit", FINE)
def test_rules_let_pass_what_is_just_right(tmp_path: Path, edit: tuple[str, str]) -> None:
    """The nearest thing that is allowed."""
    assert validate(loaded(tmp_path, edited(edit), MINE), strict=True) == []


@pytest.mark.parametrize("line", PROVIDERS)
def test_v7_provider_is_found_in_a_function(tmp_path: Path, line: str) -> None:
    """Early or late; nothing of it need be installed."""
    assert rules_of(found(tmp_path, body(line))) == ["V7"]


def test_v7_provider_is_found_in_another_file(tmp_path: Path) -> None:
    """Files of the author's that the app imports are read too, and named."""
    files = {"shelf_more.py": "def ask():\n    import openai\n"}
    source = edited(("from pydantic import", "import shelf_more\nfrom pydantic import"))
    (issue,) = validate(loaded(tmp_path, source, files))
    assert (issue.rule, Path(issue.file).name, issue.line) == ("V7", "shelf_more.py", 2)


def test_v7_other_packages_are_not_read(tmp_path: Path) -> None:
    """What is installed is not the author's."""
    edit = ("from pydantic import", "import json\nimport typing\nfrom pydantic import")
    assert found(tmp_path, edit) == []


def test_v24_follows_ctx_into_functions_of_the_file(tmp_path: Path) -> None:
    """By position and by name; a function that does not get it may do as it likes."""
    inner = '\n\nasync def peek(other, c):\n    return await c.skeleton.get("x")\n'
    by_position = body("await peek(1, ctx)")
    by_name = body("await peek(other=1, c=ctx)")
    unrelated = body("await peek(ctx, 1)")
    ends = [
        rules_of(validate(loaded(tmp_path, edited(edit) + inner)))
        for edit in (by_position, by_name, unrelated)
    ]
    assert ends == [["V24"], ["V24"], []]


def test_v24_ends_on_functions_that_call_each_other(tmp_path: Path) -> None:
    """Recursion is followed once."""
    inner = "\n\nasync def turn(c):\n    await turn(c)\n    return c.skeleton\n"
    source = edited(body("await turn(ctx)")) + inner
    assert rules_of(validate(loaded(tmp_path, source))) == ["V24"]


def test_v24_skeleton_tools_may(tmp_path: Path) -> None:
    """That is what they are for."""
    assert "ctx.skeleton.get" in GOOD
    assert found(tmp_path) == []


def test_v24_panels_and_event_handlers_may_not(tmp_path: Path) -> None:
    """They are handlers too."""
    more = (
        '\n\n@ext.panel("shelf")\nasync def panel(ctx):\n    return ctx.skeleton\n'
        '\n\n@ext.on_event("x.y")\nasync def heard(ctx, event):\n    return ctx.skeleton\n'
    )
    issues = validate(loaded(tmp_path, GOOD + more))
    assert [one.rule for one in issues] == ["V24", "V24"]


def test_v32_sees_another_name(tmp_path: Path) -> None:
    """Imported as something else."""
    source = edited(
        ("import ActionResult,", "import ActionResult as Result, ActionResult,"),
        ('ActionResult.error("A book needs a title.", code="NO_TITLE")', 'Result.error("No.")'),
    )
    assert rules_of(validate(loaded(tmp_path, source))) == ["V32"]
