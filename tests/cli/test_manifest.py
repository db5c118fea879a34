"""``handrail manifest``."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from extensions import GOOD, edited, forgetting, loaded, written
from handrail.cli.app import app
from handrail.sdk.manifest import manifest_text


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The working directory, with an extension and no manifest."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "deep").mkdir()
    written(tmp_path / "deep", GOOD)
    with forgetting(tmp_path):
        yield tmp_path


def manifest(*arguments: str) -> Any:
    """The command's result."""
    return CliRunner().invoke(app, ["manifest", "deep/shelf_app.py", *arguments])


def test_manifest_is_written_beside_the_app(folder: Path) -> None:
    """And left alone when it is current."""
    first, second = manifest(), manifest()
    text = (folder / "deep" / "handrail.json").read_text(encoding="utf-8")
    assert (first.exit_code, first.stderr) == (0, "handrail.json written\n")
    assert (second.exit_code, second.stderr) == (0, "handrail.json is current\n")
    assert text == manifest_text(loaded(folder / "deep").ext)


def test_stdout_prints_and_writes_nothing(folder: Path) -> None:
    """The same bytes."""
    done = manifest("--stdout")
    assert not (folder / "deep" / "handrail.json").exists()
    assert (done.exit_code, done.stdout) == (0, manifest_text(loaded(folder / "deep").ext))


def test_check_says_whether_it_is_current(folder: Path) -> None:
    """Absent, current, out of date; it never writes."""
    absent = manifest("--check")
    assert (absent.exit_code, "is not there; run: handrail manifest" in absent.stderr) == (1, True)
    manifest()
    assert manifest("--check").exit_code == 0
    written(folder / "deep", edited(('version="1.2.0"', 'version="1.3.0"')))
    before = (folder / "deep" / "handrail.json").read_bytes()
    stale = manifest("--check")
    assert (stale.exit_code, "is out of date" in stale.stderr) == (1, True)
    assert (folder / "deep" / "handrail.json").read_bytes() == before


def test_wrong_declarations_are_told(folder: Path) -> None:
    """With the exit code of wrong usage."""
    written(folder / "deep", edited(('action_type="destructive"', 'action_type="x"')))
    done = manifest()
    assert done.exit_code == 2
    assert "tool 'drop_book' cannot be declared" in done.stderr
