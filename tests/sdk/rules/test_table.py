"""The table of rules: levels, order, and that every row can fire and be silent."""

import re
from pathlib import Path

from extensions import GOOD, edited, found, loaded, rules_of
from handrail.sdk.rules.app import Level
from handrail.sdk.rules.table import RULES, validate

HERE = Path(__file__).parent
ERRORS = {
    "V1", "V2", "V3", "V4", "V5", "V7", "V14", "V15", "V16", "V17", "V18", "V19", "V21", "V24",
    "V25", "V31", "V46",
}  # fmt: skip
WARNINGS = {
    "V6", "V8", "V9", "V10", "V11", "V13", "V20", "V32", "V33", "V34", "V40", "V41", "V42", "V43",
    "V44", "V45",
}  # fmt: skip


def test_levels_are_those_of_the_law() -> None:
    """Rule by rule."""
    levels = {level: {row.rule for row in RULES if row.level is level} for level in Level}
    assert levels == {Level.ERROR: ERRORS, Level.WARN: WARNINGS, Level.INFO: {"V12", "V22"}}


def test_strict_raises_what_was_announced() -> None:
    """Events and effects of what changes something."""
    raised = {row.rule: row.strict for row in RULES if row.strict is not None}
    assert raised == {"V10": Level.ERROR, "V20": Level.ERROR}


def test_numbers_are_given_once() -> None:
    """And rise."""
    numbers = [int(row.rule[1:]) for row in RULES]
    assert numbers == sorted(set(numbers))


def test_rows_without_a_check_are_only_kept_for_their_number() -> None:
    """Those that have no meaning here."""
    assert [row.rule for row in RULES if row.check is None] == ["V12", "V22"]
    assert all(row.fix and row.title for row in RULES if row.check is not None)


def test_good_extension_breaks_no_rule(tmp_path: Path) -> None:
    """Strict or not."""
    app = loaded(tmp_path)
    assert (validate(app), validate(app, strict=True)) == ([], [])


def test_every_rule_has_a_sample_that_breaks_it() -> None:
    """In the files beside this one: a test named after it, or a row of a table."""
    texts = [path.read_text() for path in HERE.glob("test_*.py") if path != Path(__file__)]
    named = set(re.findall(r'"(V\d+)"', "\n".join(texts)))
    assert sorted(ERRORS | WARNINGS, key=lambda rule: int(rule[1:])) == sorted(
        named & (ERRORS | WARNINGS), key=lambda rule: int(rule[1:])
    )


def test_findings_come_worst_first(tmp_path: Path) -> None:
    """Then by number and line."""
    issues = found(
        tmp_path,
        ('    event="added",\n', ""),
        ('    event="dropped",\n', ""),
        ('display_name="Book shelf"', 'display_name=""'),
        ('version="1.2.0"', 'version="1"'),
    )
    assert [one.rule for one in issues] == ["V2", "V15", "V10", "V10"]
    assert issues[2].line < issues[3].line


def test_finding_says_where_and_what_to_do(tmp_path: Path) -> None:
    """File, line and fix."""
    (issue,) = found(tmp_path, ('    event="added",\n', ""))
    source = edited(('    event="added",\n', "")).splitlines()
    assert issue.file == str(tmp_path / "shelf_app.py")
    assert source[issue.line - 1] == "@chat.function("
    assert issue.message == "add_book is write and has no event"
    assert issue.fix == 'add event="created" or another past participle'


def test_strict_level_stands_in_the_finding(tmp_path: Path) -> None:
    """V10 and V20 are errors there."""
    app = loaded(tmp_path, edited(('    event="added",\n', "")))
    assert [one.level for one in validate(app)] == [Level.WARN]
    assert [one.level for one in validate(app, strict=True)] == [Level.ERROR]


def test_rules_run_nothing_of_the_app(tmp_path: Path) -> None:
    """Handlers that would raise are only read."""
    body = '    await ctx.store.delete("books", params.book_id)\n'
    issues = found(tmp_path, (body, body + '    raise SystemExit("ran")\n'))
    assert rules_of(issues) == []
    assert "SystemExit" not in GOOD


BAD = """
import openai
from pydantic import BaseModel
from handrail import Extension
from handrail.chat import ActionResult, ChatExtension

ext = Extension("Bad_App", version="1.0", description="Bad.", icon="none.svg", system=True)
chat = ChatExtension(ext, "tool_bad_chat", "Bad")


class Params(BaseModel):
    free: dict[str, str] = {}


@chat.function("drop_it", "I drop.", action_type="destructive", chain_callable=False,
               id_projection="nothing_id", scopes=["all"])
async def drop_it(ctx, params: Params):
    await ctx.skeleton.get("x")
    return ActionResult.error("No.")


@chat.function("dropIt", "I drop.", action_type="write", effects=["made things"])
async def other(ctx, **kwargs):
    pass


@chat.function("by_hand", "Written by somebody's hand.", {"a": "str"})
async def by_hand(ctx, a) -> ActionResult:
    pass


@chat.function("odd", action_type="odd", nonsense=1)
async def odd(ctx, params: Params) -> ActionResult:
    pass


@ext.tool("a_name_that_is_too_long_for_any_provider_to_take_as_a_tool")
async def long_name(ctx, params: Params):
    pass


@ext.skeleton("Bad-Section")
async def section(ctx):
    pass
"""


def test_bad_extension_breaks_every_rule(tmp_path: Path) -> None:
    """All at once but V3, which needs an extension without functions."""
    app = loaded(tmp_path, BAD, {"openai.py": ""})
    (tmp_path / "handrail.json").unlink()
    assert sorted(rules_of(validate(app)), key=lambda rule: int(rule[1:])) == sorted(
        (ERRORS | WARNINGS) - {"V3", "V8"}, key=lambda rule: int(rule[1:])
    )


def test_v8_waits_for_contracts_that_can_be_built(tmp_path: Path) -> None:
    """Without the refused one it is found too."""
    start = BAD.index('@chat.function("odd"')
    app = loaded(tmp_path, BAD[:start] + BAD[BAD.index("@ext.tool") :], {"openai.py": ""})
    (tmp_path / "handrail.json").unlink()
    assert {"V8", "V4", "V46"} & set(rules_of(validate(app))) == {"V8"}
