"""The benchmark of outputs runs, and its cases are what they say."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

from handrail.contract.tokens import count_tokens

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def outputs() -> ModuleType:
    """The file, which is no package."""
    spec = importlib.util.spec_from_file_location("bench_outputs", ROOT / "bench" / "outputs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_case_is_as_big_as_its_name_and_fits_afterwards(outputs: ModuleType) -> None:
    """Otherwise the table would speak of something else."""
    for case in outputs.cases():
        if case in outputs.judging():
            continue
        value = json.loads(case.text)
        made = case.work(value, case.text)
        if "KB" in case.name:
            named = int(case.name.rpartition(", ")[2].removesuffix(" KB").replace(",", ""))
            assert 0.8 < len(case.text) / (named * 1_000) < 1.4, case.name
            text = made if isinstance(made, str) else json.dumps(made, separators=(",", ":"))
            assert 0.5 * outputs.BUDGET < count_tokens(text) <= outputs.BUDGET, case.name
        else:
            assert made is value


def test_results_that_are_judged_are_in_order(outputs: ModuleType) -> None:
    """The figures are those of the way that most results take."""
    for case in outputs.judging():
        assert 0.8 < len(case.text) / 100_000 < 1.4
        made = case.work(json.loads(case.text), case.text)
        assert (made.status, made.code) == ("ok", None), case.name


def test_the_page_is_a_table(outputs: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    """One line for each case."""
    outputs.ROUNDS = 1
    outputs.main()
    lines = capsys.readouterr().out.splitlines()
    assert len([line for line in lines if line.startswith("| ")]) == len(outputs.cases()) + 1
