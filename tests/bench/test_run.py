"""The benchmark runs and says what it must; how fast anything is, is no matter for a test."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


def bench(*options: str) -> str:
    """What the benchmark prints."""
    command = [sys.executable, str(ROOT / "bench" / "run.py"), "--quick", *options]
    paths = {"PYTHONPATH": str(ROOT / "src"), "PATH": ""}
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, env=paths, cwd=ROOT, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], str]:
    """One quick run of everything: its JSON, and its page."""
    page = tmp_path_factory.mktemp("bench") / "page.md"
    found: dict[str, Any] = json.loads(bench("--json", "--markdown", str(page)))
    return found, page.read_text(encoding="utf-8")


def test_every_case_reports(whole: tuple[dict[str, Any], str]) -> None:
    """All five cases are there, and each has figures."""
    cases = whole[0]["cases"]
    assert list(cases) == ["calls", "messages", "imports", "chains", "journal"]
    assert [name for name, case in cases.items() if not case["figures"]] == []


def test_every_figure_has_a_spread(whole: tuple[dict[str, Any], str]) -> None:
    """A median lies between its quartiles, and rounds are counted."""
    figures = [one for case in whole[0]["cases"].values() for one in case["figures"]]
    spreads = [one["spread"] for one in figures]
    assert [one for one in spreads if not one["low"] <= one["median"] <= one["high"]] == []
    assert [one for one in spreads if one["rounds"] < 1] == []


def test_ratios_name_what_they_are_taken_against(whole: tuple[dict[str, Any], str]) -> None:
    """A multiple without its base says nothing."""
    figures = [one for case in whole[0]["cases"].values() for one in case["figures"]]
    ratios = [one for one in figures if one["unit"] == "times"]
    assert len(ratios) > 10
    assert [one["name"] for one in ratios if not one["beside"]] == []


def test_goals_are_judged(whole: tuple[dict[str, Any], str]) -> None:
    """A goal says where it comes from, and whether it was met."""
    figures = [one for case in whole[0]["cases"].values() for one in case["figures"]]
    with_goal = [one for one in figures if one["goal"]]
    assert [one["name"] for one in with_goal if not one["goal"]["source"]] == []
    judged = [one["spread"]["median"] <= one["goal"]["at_most"] for one in with_goal]
    assert [one["met"] for one in with_goal] == judged


def test_the_machine_is_named(whole: tuple[dict[str, Any], str]) -> None:
    """Figures without machine, versions and date are worth nothing."""
    machine, page = whole[0]["machine"], whole[1]
    python = ".".join(map(str, sys.version_info[:3]))
    assert python in machine["python"]
    assert machine["cores"] >= 1
    assert machine["date"] in page
    assert sorted(machine["packages"]) == ["handrail", "jsonschema-rs", "pydantic", "pydantic-core"]


def test_the_page_shows_every_case(whole: tuple[dict[str, Any], str]) -> None:
    """The page has a table for each case, and no path of the machine it was written on."""
    found, page = whole
    titles = [f"## {case['title']}" for case in found["cases"].values()]
    assert [line for line in page.splitlines() if line.startswith("## ")] == titles
    assert page.count("| median | quartiles |") == len(titles)
    assert str(ROOT) not in page


def test_one_case_alone() -> None:
    """`--only` runs what is named, and without `--json` the page is printed."""
    page = bench("--only", "messages")
    assert [line for line in page.splitlines() if line.startswith("## ")] == ["## Messages"]


def test_an_unknown_case_is_a_usage_error() -> None:
    """The command says what there is."""
    command = [sys.executable, str(ROOT / "bench" / "run.py"), "--only", "speed"]
    paths = {"PYTHONPATH": str(ROOT / "src"), "PATH": ""}
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=paths)
    assert done.returncode == 2
    assert "chains" in done.stderr
