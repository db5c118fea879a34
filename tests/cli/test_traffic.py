"""What commands over logs share."""

from pathlib import Path

import pytest
import typer

from handrail.cli.explained import explained
from handrail.cli.traffic import box_of, findings_of, log_files, rules_of, why_nothing
from handrail.contract.policy import Settings
from handrail.errors import ConfigError, ContractError, StoreError
from handrail.replay.check import Check, Totals
from handrail.replay.schemas import Catalogue


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ConfigError("no"), 2),
        (ContractError("t", ["no"]), 2),
        (StoreError("no"), 1),
        (FileNotFoundError(2, "No such file", "x"), 2),
        (PermissionError(13, "Permission denied", "x"), 3),
    ],
)
def test_errors_become_a_sentence_and_an_exit_code(
    error: Exception, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Named after the command."""
    with pytest.raises(typer.Exit) as caught, explained("replay"):
        raise error
    assert caught.value.exit_code == code
    assert capsys.readouterr().err.startswith("handrail replay: ")


def test_rules_say_where_they_come_from() -> None:
    """A preset, or a file that must be there."""
    rules, origin = rules_of("strict", None)
    assert (rules.name, origin) == ("strict", "strict")
    with pytest.raises(ConfigError, match="there is no such file"):
        rules_of("stict", None)


def test_an_empty_name_is_told() -> None:
    """Of the toolbox, of a file."""
    with pytest.raises(ConfigError, match="-c is empty"):
        box_of(" ")
    with pytest.raises(ConfigError, match="FILE is empty"):
        findings_of(Check(Catalogue(), Settings()), [""], [])
    assert box_of(None) is None


def test_logs_of_a_folder() -> None:
    """In the order of their names; a file is itself."""
    for name in ("b.jsonl", "a.json", "c.jsonl.gz", "d.txt"):
        Path(name).touch()
    assert log_files(["."]) == ["a.json", "b.jsonl", "c.jsonl.gz"]
    assert log_files(["d.txt", "-"]) == ["d.txt", "-"]
    Path("empty").mkdir()
    with pytest.raises(ConfigError, match="holds no log"):
        log_files(["empty"])


def test_candidates_are_preferred_from_then_on() -> None:
    """What the schema files define, and not what the log does."""
    Path("s.jsonl").write_text('{"name": "find", "parameters": {"type": "object"}}\n')
    inline = '{"type": "object", "required": ["q"]}'
    Path("log.jsonl").write_text(f'{{"tool": "find", "arguments": {{}}, "schema": {inline}}}\n')
    for candidate, invalid in ((True, 0), (False, 1)):
        run = Check(Catalogue(), Settings())
        list(findings_of(run, ["log.jsonl"], ["s.jsonl"], candidate=candidate))
        assert run.totals.invalid == invalid


def test_why_nothing_was_judged() -> None:
    """And the way out."""
    assert "no calls were found" in why_nothing(Totals())
    assert "none of 3 calls has a schema" in why_nothing(Totals(calls=3))
