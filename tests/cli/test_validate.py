"""``handrail validate``."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from extensions import GOOD, edited, forgetting, loaded, written
from handrail.cli.app import app

EVENT = ('    event="added",\n', "")
VERSION = ('version="1.2.0"', 'version="1"')


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The working directory."""
    monkeypatch.chdir(tmp_path)
    with forgetting(tmp_path):
        yield tmp_path


def validate(*arguments: str) -> Any:
    """The command's result."""
    return CliRunner().invoke(app, ["validate", *arguments])


def test_good_extension_has_no_findings(folder: Path) -> None:
    """Strict too."""
    loaded(folder)
    for arguments in (["shelf_app.py"], ["shelf_app.py", "--strict"], ["shelf_app.py:chat"]):
        done = validate(*arguments)
        assert (done.exit_code, done.stdout) == (0, "book-shelf: no findings.\n")


def test_findings_say_rule_level_place_and_fix(folder: Path) -> None:
    """One after the other, the worst first."""
    loaded(folder, edited(EVENT, VERSION))
    done = validate("shelf_app.py")
    assert (done.exit_code, done.stdout) == (
        1,
        "V2  ERROR version '1' is no semantic version\n"
        "          shelf_app.py:8\n"
        '          fix: write it as "1.0.0" or "1.0.0-beta.1"\n'
        "V10 WARN  add_book is write and has no event\n"
        "          shelf_app.py:39\n"
        '          fix: add event="created" or another past participle\n'
        "\n"
        "book-shelf: 1 error, 1 warning.\n",
    )


def test_warnings_alone_exit_0_and_1_when_strict(folder: Path) -> None:
    """V11 stays a warning; V10 becomes an error."""
    loaded(folder, edited(('    """Store a book."""\n', "")))
    assert validate("shelf_app.py").exit_code == 0
    strict = validate("shelf_app.py", "--strict")
    assert (strict.exit_code, "V11 WARN" in strict.stdout) == (1, True)
    loaded(folder, edited(EVENT))
    assert "V10 ERROR" in validate("shelf_app.py", "--strict").stdout


def test_json_has_the_pinned_keys(folder: Path) -> None:
    """One object, whatever is found."""
    loaded(folder, edited(EVENT, VERSION))
    report = json.loads(validate("shelf_app.py", "--json").stdout)
    assert (report["app_id"], report["errors"], report["warnings"]) == ("book-shelf", 1, 1)
    assert report["issues"][0] == {
        "rule": "V2", "level": "ERROR", "message": "version '1' is no semantic version",
        "file": "shelf_app.py", "line": 8, "fix": 'write it as "1.0.0" or "1.0.0-beta.1"',
    }  # fmt: skip


def test_declarations_that_would_raise_are_findings(folder: Path) -> None:
    """All of them, beside the rest, and without a traceback."""
    written(
        folder,
        edited(
            ('action_type="destructive"', 'action_type="remove"'),
            ("params: Book)", "params: Nothing)"),
            ("from pydantic", "from __future__ import annotations\n\nfrom pydantic"),
        ),
    )
    done = validate("shelf_app.py")
    assert done.exit_code == 1
    assert "V4  ERROR drop_book has action_type='remove'" in done.stdout
    assert "V46 ERROR add_book: annotation 'Nothing' of 'params' cannot be resolved" in done.stdout


def test_functions_in_other_files_are_found(folder: Path) -> None:
    """The layout of the seeds: one file makes the chat, handlers import it, one imports both."""
    head, tail = GOOD[: GOOD.index("class BookId")], GOOD[GOOD.index("class BookId") :]
    names = "from shelf_base import ActionResult, NoParams, chat, ext\n"
    (folder / "shelf_base.py").write_text(head)
    names += "from pydantic import BaseModel, Field\n\n"
    (folder / "handlers_books.py").write_text(names + tail)
    (folder / "shelf_main.py").write_text("import handlers_books\nfrom shelf_base import ext\n")
    written(folder, GOOD)
    done = validate("shelf_main.py")
    assert (done.exit_code, "V8  WARN" in done.stdout) == (0, True), done.output
    assert "0 errors, 1 warning" in done.stdout


def test_system_author_is_an_option(folder: Path) -> None:
    """May be repeated."""
    (folder / "pyproject.toml").write_text('[project]\nauthors = [{name = "Ada"}]\n')
    loaded(folder, edited(('icon="icon.svg",', 'icon="icon.svg", system=True,')))
    assert validate("shelf_app.py").exit_code == 1
    assert validate("shelf_app.py", "--system-author", "X", "--system-author", "ada").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["none.py"], "handrail validate: none.py: there is no such file"),
        (["shelf_app.py:none"], "has nothing named 'none'"),
        ([], "Missing argument"),
    ],
)
def test_wrong_usage(folder: Path, arguments: list[str], told: str) -> None:
    """Exit code 2 and a sentence."""
    loaded(folder)
    done = validate(*arguments)
    assert done.exit_code == 2
    assert told in " ".join(done.output.split())
