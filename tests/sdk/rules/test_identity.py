"""Rules about the app itself: each breaks one rule of the good extension, and only that one."""

from pathlib import Path

import pytest

from extensions import GOOD, edited, found, loaded, rules_of
from handrail.sdk.manifest import MANIFEST_NAME
from handrail.sdk.rules.app import App
from handrail.sdk.rules.identity import SYSTEM_AUTHORS
from handrail.sdk.rules.table import validate

ID, VERSION = '"book-shelf"', 'version="1.2.0"'
HEALTH = "@ext.health_check\n"
SYSTEM = ('icon="icon.svg",', 'icon="icon.svg", system=True,')

BROKEN = [
    *[("V1", (ID, f'"{bad}"')) for bad in ["Book", "book_shelf", "-a", "a--b", "a-", "", "a\\n"]],
    *[
        ("V2", (VERSION, f'version="{bad}"'))
        for bad in ["1", "1.0", "v1.0.0", "1.0.0 ", "01.0.0", "1.0.0-", "1.0.0-01", "1.0.0\\n"]
    ],
    ("V9", (HEALTH, "")),
    ("V13", ('"recent_books", ttl', '"Recent-Books", ttl')),
    ("V14", ("Keeps a list of books on shelves, and finds them again.", "Books on shelves.")),
    ("V14", ("Keeps a list of books on shelves, and finds them again.", " " * 60)),
    ("V15", ('display_name="Book shelf"', 'display_name=" "')),
    ("V25", ('"count_books", scopes', '"tool_books_chat", scopes')),
    ("V25", ('tool_name="shelf"', 'tool_name="tool_shelf_chat"')),
    ("V31", SYSTEM),
    ("V33", ('"count_books", scopes', f'"{"count_" * 9}", scopes')),
]
FINE = [
    (ID, '"a"'), (ID, '"books2-go"'), (VERSION, 'version="1.0.0-beta.1+build.7"'),
    (VERSION, 'version="0.0.0"'), ('"recent_books", ttl', '"books", ttl'),
    ("Keeps a list of books on shelves, and finds them again.", "x" * 40),
    ('tool_name="shelf"', 'tool_name="chat_tool"'),
    ('"count_books", scopes', f'"{"c" * 52}", scopes'),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "edit"), BROKEN)
def test_rule_finds_what_breaks_it(tmp_path: Path, rule: str, edit: tuple[str, str]) -> None:
    """One edit, one rule."""
    assert rules_of(found(tmp_path, edit)) == [rule]


@pytest.mark.parametrize("edit", FINE)
def test_rules_let_pass_what_is_just_right(tmp_path: Path, edit: tuple[str, str]) -> None:
    """The nearest thing that is allowed."""
    assert found(tmp_path, edit, strict=True) == []


def test_v3_there_is_a_tool(tmp_path: Path) -> None:
    """An extension without functions and tools, but with one of them it is silent."""
    bare = GOOD[: GOOD.index("class BookId")]
    assert "V3" in rules_of(validate(loaded(tmp_path, bare)))
    with_tool = bare + GOOD[GOOD.index("@ext.tool") :]
    assert "V3" not in rules_of(validate(loaded(tmp_path, with_tool)))


def test_v8_manifest_is_there_and_current(tmp_path: Path) -> None:
    """Absent, stale, and as it should be."""
    app = loaded(tmp_path)
    manifest = tmp_path / MANIFEST_NAME
    written = manifest.read_text()
    manifest.write_text(written.replace("1.2.0", "1.1.0"))
    stale = validate(app)
    manifest.unlink()
    assert (rules_of(stale), rules_of(validate(app))) == (["V8"], ["V8"])
    manifest.write_text(written)
    assert validate(app) == []


def test_v31_author_is_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the environment or by whoever validates; the author is the project's."""
    (tmp_path / "pyproject.toml").write_text(
        '[project]\nname = "x"\nauthors = [{name = "Ada", email = "ada@example.org"}]\n'
    )
    app = loaded(tmp_path, edited(SYSTEM))
    assert rules_of(validate(app)) == ["V31"]
    assert validate(App(app.ext, (), ["ADA@example.org"])) == []
    monkeypatch.setenv(SYSTEM_AUTHORS, "Bob, Ada")
    assert validate(app) == []


def test_v31_unreadable_project_names_nobody(tmp_path: Path) -> None:
    """A broken pyproject.toml allows nothing."""
    (tmp_path / "pyproject.toml").write_text("authors = [")
    app = loaded(tmp_path, edited(SYSTEM))
    assert rules_of(validate(App(app.ext, (), ["Ada"]))) == ["V31"]


def test_refused_declarations_do_not_make_the_manifest_stale(tmp_path: Path) -> None:
    """V8 waits until the contracts can be built."""
    refused = ('action_type="read"', 'action_type="look"')
    assert "V8" not in rules_of(found(tmp_path, refused))
