"""A seeded sample of the mending benchmark; the whole of it is in `bench/results/mending.md`."""

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


def bench(*options: str) -> subprocess.CompletedProcess[str]:
    """One run of the benchmark."""
    command = [sys.executable, "-W", "ignore", str(ROOT / "bench" / "mending.py"), *options]
    paths = {"PYTHONPATH": str(ROOT / "src"), "PATH": ""}
    return subprocess.run(
        command, check=False, capture_output=True, text=True, env=paths, cwd=ROOT, timeout=300
    )


@pytest.fixture(scope="module")
def sample() -> dict[str, Any]:
    """The figures of a few gold calls with every fault."""
    if find_spec("bfcl_eval") is None:
        pytest.skip("the gold calls are not here: pip install --no-deps bfcl-eval==2026.3.23")
    done = bench("--calls", "40", "--json")
    assert done.stdout, done.stderr
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


def test_nothing_is_mended_to_something_else(sample: dict[str, Any]) -> None:
    """Whatever runs after a mend is the gold call."""
    assert sample["calls"] > 30
    assert sample["wrong"] == []


def test_destructive_calls_are_mended_in_syntax_alone(sample: dict[str, Any]) -> None:
    """Under the most lenient preset too."""
    assert sample["beyond"] == []


def test_listed_faults_are_mended(sample: dict[str, Any]) -> None:
    """All fences and all numbers in text of this sample, for a read tool."""
    for fault in ("fence", "number_text", "parsed_json, the whole"):
        assert sample["gold"][f"{fault}: read, balanced"] > 5
        assert (
            sample["gold"][f"{fault}: read, balanced"] == sample["made"][f"{fault}: read, balanced"]
        )


def test_without_the_data_it_says_what_is_missing() -> None:
    """A sentence and an exit code, no traceback."""
    if find_spec("bfcl_eval") is not None:
        pytest.skip("the gold calls are here")
    done = bench()
    assert (done.returncode, done.stdout) == (2, "")
    assert "bfcl-eval" in done.stderr
