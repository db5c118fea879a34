"""The launcher."""

import sys

import pytest

from handrail.cli.main import ENVIRONMENT, USAGE, main
from handrail.cli.version import version_line


@pytest.mark.parametrize("missing", ["typer", "rich"])
def test_missing_extra_is_a_sentence(
    missing: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It names the package and the command that brings it."""
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(SystemExit) as stop:
        main(["check", "log.jsonl"])
    assert (stop.value.code, capsys.readouterr().err) == (
        ENVIRONMENT,
        f"handrail: the command line needs {missing}. "
        "Install it with: pip install 'handrail[cli]'\n",
    )


def test_version_needs_no_extra(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever reports a broken installation can say which one it is."""
    monkeypatch.setitem(sys.modules, "typer", None)
    with pytest.raises(SystemExit) as stop:
        main(["--version"])
    assert (stop.value.code, capsys.readouterr().out) == (0, f"{version_line()}\n")


def test_wrong_usage_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """With the exit code for it."""
    with pytest.raises(SystemExit) as stop:
        main(["chek"])
    assert stop.value.code == USAGE
    assert "chek" in capsys.readouterr().err
