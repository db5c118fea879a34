"""The demo plays offline, and tells its three scenes."""

import json
from importlib import resources
from pathlib import Path

import pytest
from typer.testing import CliRunner

from handrail.cli.app import app
from handrail.cli.demo_scenes import SCENES


@pytest.fixture(scope="module")
def told() -> str:
    """What the demo prints."""
    result = CliRunner().invoke(app, ["demo"])
    assert result.exit_code == 0, result.output
    return result.output


def test_a_wrong_call_is_corrected(told: str) -> None:
    """The wrong value, the feedback, the corrected call and its run."""
    assert '"days": 14' in told
    assert "/days (VAL-003): Value out of range: must be <= 7" in told
    assert '"days": 7' in told
    assert "(attempt 2 of 3)" in told


def test_a_repeated_call_is_refused(told: str) -> None:
    """Three runs of the same call, and not a fourth."""
    assert told.count('search_orders {"customer_id": "C-9921", "status": "any"}') == 4
    assert "already called 3 times" in told


def test_a_destructive_call_waits_for_a_person(told: str) -> None:
    """The card, the decision, and only then the tool."""
    card = told.index("delete_event (destructive) waits for a person")
    decision = told.index("you: yes")
    ran = told.index("evt-204 is deleted")
    assert card < decision < ran


def test_the_recording_has_a_list_of_replies_for_each_scene() -> None:
    """Real replies, one list a scene, with the model named."""
    stored = resources.files("handrail.cli").joinpath("demo_recording.json").read_text("utf-8")
    recording = json.loads(stored)
    assert "Qwen" in recording["model"]
    assert [bool(said) for said in recording["scenes"]] == [True] * len(SCENES)


def test_the_transcript_is_written(tmp_path: Path) -> None:
    """-o gives the same text as a file."""
    target = tmp_path / "demo.txt"
    result = CliRunner().invoke(app, ["demo", "-o", str(target)])
    assert result.exit_code == 0
    assert "A call that stops in front of a human" in target.read_text(encoding="utf-8")


def test_live_without_engine_or_weights_says_what_to_do() -> None:
    """A named file that is not there: one sentence, exit code 3."""
    result = CliRunner().invoke(app, ["demo", "--live", "--model", "local:/no/such.gguf"])
    assert result.exit_code == 3
    assert "such.gguf" in result.output or "xllamacpp" in result.output
