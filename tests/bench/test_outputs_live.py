"""The comparison before and after, with a model that only repeats itself."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_holds_every_misbehaviour_before_and_after(tmp_path: Path) -> None:
    """Figures and transcripts; the repeated call reaches the service less often after."""
    page = tmp_path / "page.md"
    script = ROOT / "bench" / "outputs_live.py"
    options = ["--scripted", "--calls", "5", "--only", "cut", "renamed", "--output", str(page)]
    subprocess.run(
        [sys.executable, str(script), *options],
        check=True,
        capture_output=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )
    text = page.read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    figures = [[cell.strip() for cell in row.split("|")[2:5]] for row in rows[1:]]
    assert figures == [
        ["before", "5", "5"],
        ["after", "5", "3"],
        ["before", "5", "5"],
        ["after", "5", "3"],
        ["before", "10", "10"],
        ["after", "10", "6"],
    ]
    assert "2 of 8 ways of failing" in text
    assert text.count("```text") == 4
