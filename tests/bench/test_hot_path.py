"""The hot path is measured and told whole; how fast anything is, is no matter for a test."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
OURS = ("handrail-long", "handrail", "handrail-take")
CASES = {
    "handrail-long": ["valid", "mended", "invalid"],
    "handrail": ["valid", "mended", "invalid", "two rounds"],
    "handrail-take": ["valid", "mended", "invalid", "two rounds", "whole turn"],
}


def hot_path(*options: str) -> subprocess.CompletedProcess[str]:
    """One run of the benchmark."""
    command = [sys.executable, str(ROOT / "bench" / "hot_path.py"), *options]
    paths = {"PYTHONPATH": str(ROOT / "src"), "PATH": ""}
    return subprocess.run(
        command, check=False, capture_output=True, text=True, env=paths, cwd=ROOT, timeout=600
    )


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], str]:
    """Two quick rounds of handrail alone: their JSON, and their page."""
    folder = tmp_path_factory.mktemp("hot_path")
    files = ["--json", str(folder / "figures.json"), "--output", str(folder / "page.md")]
    done = hot_path("--quick", "--rounds", "2", "--only", *OURS, *files)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    figures: dict[str, Any] = json.loads((folder / "figures.json").read_text(encoding="utf-8"))
    return figures, (folder / "page.md").read_text(encoding="utf-8")


def test_every_way_has_its_cases(ours: tuple[dict[str, Any], str]) -> None:
    """Each way has a figure for every tool and case, and bare work beside them."""
    found = {one["contestant"]: one["figures"] for one in ours[0]["found"]}
    cases = {
        key: [one["case"] for one in figures if one["task"] == "nested"]
        for key, figures in found.items()
    }
    assert cases == {key: ["bare valid", "bare invalid", *CASES[key]] for key in OURS}
    tasks = {key: {one["task"] for one in figures} for key, figures in found.items()}
    assert tasks == {key: {"six", "twenty", "nested"} for key in OURS}


def test_every_figure_has_its_spread(ours: tuple[dict[str, Any], str]) -> None:
    """A median lies between its percentiles, and only bare work has no ratio."""
    figures = [one for found in ours[0]["found"] for one in found["figures"]]
    spreads = [one[kind] for one in figures for kind in ("micros", "ratio") if kind in one]
    wrong = [one for one in spreads if not 0 < one["p10"] <= one["median"] <= one["p90"]]
    assert wrong == []
    assert {one["rounds"] for one in spreads} == {2}
    assert {one["case"] for one in figures if "ratio" not in one} == {"bare valid", "bare invalid"}


def test_the_calls_become_what_they_are_measured_as(ours: tuple[dict[str, Any], str]) -> None:
    """The function runs once where it should, and the model reads both faults."""
    for found in ours[0]["found"]:
        for shown in found["shown"].values():
            ran = {case: one["ran"] for case, one in shown.items()}
            assert ran == {case: int(case != "invalid") for case in ran}
            assert "was read as" in shown["mended"]["text"]
            assert shown["invalid"]["text"].count("•") == 2


def test_the_page_tells_all(ours: tuple[dict[str, Any], str]) -> None:
    """Goals, every case, versions and the machine; and no path of where it was made."""
    figures, page = ours
    titles = [line.removeprefix("## ") for line in page.splitlines() if line.startswith("## ")]
    assert titles == [
        "Goals",
        "A valid call",
        "A call that can be mended",
        "An invalid call, to the whole message",
        "Two rounds",
        "A whole turn",
        "What the model reads about the wrong call",
        "The bare work",
        "What is called",
        "Read with care",
    ]
    assert figures["machine"]["date"] in page
    assert "pydantic-core " + figures["found"][0]["versions"]["pydantic-core"] in page
    assert page.count("| at most 10 times |") == page.count("| at most 20 times |") == 3
    assert page.count("| under 0.2 ms |") == 2
    assert str(ROOT) not in page


def test_who_cannot_be_measured_is_left_out_with_a_sentence(tmp_path: Path) -> None:
    """Without an environment, and without leave to make one, nobody is left."""
    folder = ["--environments", str(tmp_path)]
    done = hot_path("--only", "strands", "--no-install", *folder)
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "bench: strands-agents is left out. The environment 'strands' is not installed, and "
        "--no-install was given.",
        "bench: nobody could be measured",
    ]
    assert list(tmp_path.iterdir()) == []


def test_rounds_end_when_the_time_is_over() -> None:
    """One round is always taken, and the page says how many there were."""
    done = hot_path("--quick", "--minutes", "0", "--only", "handrail")
    assert done.returncode == 0
    assert ", 1 round in " in done.stdout


def test_the_page_names_who_was_left_out(tmp_path: Path) -> None:
    """A missing library is not passed over in silence."""
    folder = ["--environments", str(tmp_path), "--no-install"]
    done = hot_path("--quick", "--rounds", "1", "--only", "handrail", "fastmcp", *folder)
    assert done.returncode == 0
    last = done.stdout.strip().splitlines()[-1]
    assert last.startswith("- FastMCP: The environment 'fastmcp' is not installed")


@pytest.mark.parametrize(
    ("options", "said"),
    [(("--only", "nobody"), "handrail-take"), (("--rounds", "0"), "0 is not at least 1")],
)
def test_wrong_options_are_usage_errors(options: tuple[str, ...], said: str) -> None:
    """The command says what there is."""
    done = hot_path(*options)
    assert done.returncode == 2
    assert said in done.stderr


def test_a_case_of_handrail_is_profiled() -> None:
    """The profile shows functions of handrail, by their own time."""
    done = hot_path("--profile", "invalid")
    assert done.returncode == 0
    assert "Ordered by: internal time" in done.stdout
    assert "judge.py" in done.stdout


@pytest.mark.peers
def test_the_other_libraries_are_measured_where_they_are_installed(tmp_path: Path) -> None:
    """Whoever has an environment runs valid calls, and refuses wrong ones."""
    if not (ROOT / ".cache" / "bench").is_dir():
        pytest.skip("nobody is installed: python bench/hot_path.py --quick")
    file = tmp_path / "figures.json"
    done = hot_path(
        "--quick",
        "--rounds",
        "1",
        "--no-install",
        "--json",
        str(file),
        "--output",
        str(tmp_path / "page.md"),
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(file.read_text(encoding="utf-8"))["found"]
    others = [one for one in found if not one["contestant"].startswith("handrail")]
    assert others != []
    ran = {
        (shown["valid"]["ran"], shown["invalid"]["ran"])
        for one in others
        for shown in one["shown"].values()
    }
    assert ran == {(1, 0)}
