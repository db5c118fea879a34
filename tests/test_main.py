"""``python -m handrail`` is the command."""

import os
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src"


def run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "handrail", *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_module_runs_a_command(tmp_path: Path) -> None:
    """A wrong call is told on standard output, and the exit code says that there was one."""
    row = '{"tool": "t", "arguments": "{", "schema": {"type": "object"}}\n'
    (tmp_path / "log.jsonl").write_text(row)
    done = run("check", "log.jsonl", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, "")
    assert "VAL-011" in done.stdout


def test_module_knows_its_version(tmp_path: Path) -> None:
    """Without starting a command."""
    done = run("--version", cwd=tmp_path)
    assert (done.returncode, done.stdout.split()[0]) == (0, "handrail")
