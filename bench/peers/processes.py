"""Environments and worker processes."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from peers.contestants import ENVIRONMENTS, Contestant

__all__ = ["Process", "Unavailable", "interpreter"]

ROOT = Path(__file__).resolve().parents[2]
INSTALL_S = 600
"""Longest time for one environment."""


class Unavailable(Exception):
    """A contestant cannot be measured; the text says why, in a sentence."""


def interpreter(contestant: Contestant, environments: Path, *, install: bool) -> Path:
    """The Python that the contestant is installed for; its environment is made if need be.

    Args:
        contestant: Who is measured.
        environments: The folder of all environments.
        install: Whether a missing one is made.

    Raises:
        Unavailable: It is not there and cannot, or may not, be made.
    """
    if contestant.environment is None:
        return Path(sys.executable)
    name, pins = contestant.environment, ENVIRONMENTS[contestant.environment]
    place = environments.resolve() / name
    python = place / "bin" / "python"
    mark = place / "installed.txt"
    if mark.is_file() and mark.read_text(encoding="utf-8").split() == list(pins):
        return python
    if not install:
        raise Unavailable(f"The environment {name!r} is not installed, and --no-install was given.")
    print(f"bench: installing {' '.join(pins)} into {place}", file=sys.stderr)
    shutil.rmtree(place, ignore_errors=True)
    try:
        _run([sys.executable, "-m", "venv", str(place)])
        _run([str(python), "-m", "pip", "--disable-pip-version-check", "-q", "install", *pins])
    except (OSError, subprocess.SubprocessError) as error:
        shutil.rmtree(place, ignore_errors=True)
        raise Unavailable(f"{' '.join(pins)} could not be installed here: {_why(error)}") from error
    mark.write_text("\n".join(pins), encoding="utf-8")
    return python


def _run(command: list[str]) -> None:
    subprocess.run(command, check=True, capture_output=True, text=True, timeout=INSTALL_S)


def _why(error: Exception) -> str:
    """The last line of what the installer said, without addresses."""
    said = str(getattr(error, "stderr", "") or "").strip().splitlines()
    words = (said[-1] if said else type(error).__name__).split()
    return " ".join(word for word in words if "/" not in word)[:200]


class Process:
    """A running worker.

    Args:
        contestant: Who is measured.
        python: Its interpreter.
    """

    def __init__(self, contestant: Contestant, python: Path) -> None:
        self.contestant = contestant
        self._said = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115
        variables = {**os.environ, **contestant.variables}
        variables.pop("PYTHONPATH", None)
        if contestant.ours:
            variables["PYTHONPATH"] = str(ROOT / "src")
        self._process = subprocess.Popen(
            [str(python), str(ROOT / "bench" / "peers" / "worker.py"), contestant.worker],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            text=True,
            env=variables,
            cwd=ROOT,
        )

    def ask(self, **order: Any) -> dict[str, Any]:
        """The answer to one order.

        Raises:
            Unavailable: The process has ended.
        """
        pipe, answers = self._process.stdin, self._process.stdout
        assert pipe is not None  # both were asked for
        assert answers is not None
        try:
            pipe.write(json.dumps(order) + "\n")
            pipe.flush()
            line = answers.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise Unavailable(f"Its process ended: {self._last_words()}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        """End the process."""
        if self._process.stdin:
            self._process.stdin.close()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()
        self._said.close()

    def _last_words(self) -> str:
        self._said.seek(0)
        lines = self._said.read().strip().splitlines()
        return lines[-1][:200] if lines else "it said nothing"
