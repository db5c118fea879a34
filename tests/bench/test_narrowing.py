"""The narrowings on purpose, and the classes of failures, on a corpus of a few lines."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Forty accepted calls of one contract, and two that failed."""
    fields = {"cabin": {"type": "string"}, "seats": {"type": "integer"}, "rows": {"type": "array"}}
    schema = {"type": "object", "properties": fields, "required": ["cabin"]}
    definition = {"ref": "r/book", "name": "book", "parameters": schema}
    (tmp_path / "schemas.jsonl").write_text(json.dumps(definition))
    lines = []
    for number in range(42):
        arguments = {"cabin": "economy" if number % 4 else "first", "rows": [1] * (number % 3)}
        arguments |= {"seats": number % 5} if number % 8 else {}
        told = {"tool": "book", "schema": "r/book", "args_raw": json.dumps(arguments)}
        failed = number >= 40
        result = "Error: Timeout error" if failed else "done"
        lines.append(json.dumps({"source": "desk", **told, "result": result, "error": failed}))
    (tmp_path / "a.calls.jsonl").write_text("\n".join(lines))
    return tmp_path


def printed(script: str, folder: Path) -> str:
    """What a script says of a corpus; it fails unless the script stands."""
    command = [sys.executable, str(ROOT / "bench" / script), str(folder)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_each_narrowing_is_found_with_its_widening(folder: Path) -> None:
    """The page stands only if every one is."""
    text = printed("narrowing.py", folder)
    assert "| an enum without one member | 1 | 10 | 1 | 0 |" in text
    assert "| a maximum of numbers | 1 | " in text
    assert "| one more required argument | 1 | 5 | 1 | 0 |" in text
    assert text.count("No contract with enough calls has a field") == 1


def test_failures_are_held_against_what_a_person_reads(folder: Path) -> None:
    """Words in a text are not read, so that a timeout told in words is of the wrong class."""
    text = printed("classify_corpora.py", folder)
    assert "| desk | tool_failed | reported_error | 2 |" in text
    assert "### Judged to be of the wrong class: 2" in text
    assert "Plain texts among them: 40. Called a failure: 0." in text
