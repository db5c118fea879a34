"""A file that a command writes is whole or not there."""

import io
import json
from pathlib import Path

import pytest

from handrail.cli.output import write_json, writing_to
from handrail.errors import ConfigError


def test_file_appears_when_it_is_complete(tmp_path: Path) -> None:
    """Until then the old one stays."""
    path = tmp_path / "report.txt"
    path.write_text("old")
    with writing_to(path) as out:
        out.write("new")
        assert path.read_text() == "old"
    assert ([one.name for one in tmp_path.iterdir()], path.read_text()) == (["report.txt"], "new")


def half_written(path: Path, error: type[BaseException]) -> None:
    """A command that ends in the middle."""
    with writing_to(path) as out:
        out.write("half")
        raise error


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError, SystemExit])
def test_nothing_half_written_is_left(tmp_path: Path, error: type[BaseException]) -> None:
    """Whatever ends the command."""
    with pytest.raises(error):
        half_written(tmp_path / "report.txt", error)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["", "no/such/report.txt"])
def test_place_that_cannot_be_is_told(tmp_path: Path, name: str) -> None:
    """A folder, or a file in none; nothing of the command runs then."""
    with pytest.raises(ConfigError, match="must be a file in an existing folder"):
        half_written(tmp_path / name, ValueError)


def test_standard_output_is_the_default(capsys: pytest.CaptureFixture[str]) -> None:
    """And stays open."""
    with writing_to(None) as out:
        out.write("shown")
    assert capsys.readouterr().out == "shown"


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_json_survives_every_character(encoding: str) -> None:
    """Lone surrogates, and terminals that know ASCII only."""
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding=encoding)
    value = {"a": "é•\U0001f600\ud800"}
    write_json(value, out)
    out.flush()
    assert json.loads(raw.getvalue()) == value
