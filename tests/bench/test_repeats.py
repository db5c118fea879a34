"""The replay of repeats finds what went round, and what speaks against a refusal."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def row(turn: int, tool: str, value: int, result: object, *, error: bool = False) -> str:
    """One recorded call."""
    place = {"source": "desk", "model": "m", "domain": "d", "task": "t", "conv": "c"}
    told = {"tool": tool, "schema": tool, "args_raw": json.dumps({"x": value})}
    end = {"result": json.dumps(result), "error": error, "turn": turn, "idx": 0}
    return json.dumps({**place, **told, **end})


def test_repeats_are_counted_and_arguable_refusals_are_listed(tmp_path: Path) -> None:
    """Five equal reads, a write and a read, two toggles that say something else each time."""
    rows = [row(2 * n, "get_thing", 1, "same") for n in range(5)]
    rows += [row(10, "update_thing", 1, "done"), row(12, "get_thing", 1, "same")]
    rows += [row(14 + 2 * n, "toggle_thing", 1, f"now {n}") for n in range(2)]
    (tmp_path / "desk.calls.jsonl").write_text("\n".join(rows), encoding="utf-8")
    parameters = {"type": "object", "properties": {"x": {"type": "integer"}}}
    schemas = [
        json.dumps({"ref": name, "name": name, "description": "", "parameters": parameters})
        for name in ("get_thing", "update_thing", "toggle_thing")
    ]
    (tmp_path / "schemas.jsonl").write_text("\n".join(schemas), encoding="utf-8")
    command = [sys.executable, str(ROOT / "bench" / "repeats.py"), str(tmp_path)]
    page = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    counts = [line for line in page.splitlines() if "one turn for all |" in line]
    assert counts == [
        "| declared, one turn for all | 9 | 6 | 4 | 2 | 2 | 2 | 0 | 0 |",
        "| not declared, one turn for all | 9 | 6 | 4 | 3 | 2 | 2 | 0 | 1 |",
    ]
    assert "| another result than before | desk | m | toggle_thing | BUD-002 refused |" in page
