"""Mutation testing of single source files: `make mutants FILES="src/handrail/protocol/*.py"`.

For each file, mutmut changes one thing at a time in a copy under `.cache/mutants/` and runs the
file's own tests until one fails. What survives is printed as a diff. `design/007-mutants.md` says
what is left and why. Tests are the file's twin, its namesakes (`test_turn_loops.py` for `turn.py`)
and those named in `ALSO`. Mutants that mypy refuses are not run, as `make check` refuses them.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from fnmatch import fnmatch
from pathlib import Path

from mutmut.mutation.diff_apply import get_diff_for_mutant

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / ".cache" / "mutants"

# Tests of other rooms and neighbours that state laws of a file.
ALSO = {
    "protocol/turn": ["protocol/test_run_limits.py", "protocol/test_run_ledger.py"],
    "protocol/exchange": ["protocol/test_reruns.py", "protocol/test_turn_state.py"],
    "contract/mend*": ["contract/test_mend.py", "properties/test_mending.py"],
    "contract/strict": ["properties/test_strict_forms.py"],
    "contract/lax": ["properties/test_lax_superset.py"],
}

OUTCOMES = {
    0: "survived",
    1: "killed",
    3: "killed",
    5: "no tests",
    33: "no tests",
    37: "types",
    None: "not run",
}
SPINNER = tuple("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
COLUMNS = ["killed", "types", "timeout", "survived", "no tests", "not run"]

CONFIG = """
[tool.mutmut]
source_paths = ["src/handrail"]
only_mutate = [{source}]
pytest_add_cli_args = ["-p", "no:xdist"]
pytest_add_cli_args_test_selection = {tests}
type_check_command = {types}
track_dependencies = false
use_git_change_detection = false
on_dependency_change = "ignore"
use_setproctitle = false
process_isolation = "forkserver"
timeout_multiplier = 5.0
timeout_constant = 8.0
"""


def tests_of(source: Path) -> list[str]:
    """The tests that a file's mutants meet."""
    room = ROOT / "tests" / source.parent.name
    namesakes = [room / f"test_{source.stem}.py", *sorted(room.glob(f"test_{source.stem}_*.py"))]
    name = f"{source.parent.name}/{source.stem}"
    also = [ROOT / "tests" / t for key, of in ALSO.items() if fnmatch(name, key) for t in of]
    return [str(path.relative_to(ROOT)) for path in dict.fromkeys(namesakes + also)]


def prepare(source: Path, types: bool) -> Path:
    """A folder with the sources, the tests and mutmut's settings for one file."""
    home = CACHE / f"{source.parent.name}-{source.stem}"
    home.mkdir(parents=True, exist_ok=True)
    for folder in ("src", "tests"):
        shutil.rmtree(home / folder, ignore_errors=True)
        skip = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder, home / folder, ignore=skip)
    command = ["mypy", str(source), "--output", "json", "--disable-error-code", "unused-ignore"]
    settings = CONFIG.format(
        source=json.dumps(str(source)),
        tests=json.dumps(tests_of(ROOT / source)),
        types=json.dumps(command if types else []),
    )
    project = (ROOT / "pyproject.toml").read_text() + settings
    # What mypy thinks superfluous is not wrong: a test must find it.
    project = re.sub(r"(?m)^(warn_unreachable|enable_error_code) =.*$", "", project)
    project = project.replace('".cache/mypy"', json.dumps(str(CACHE / "mypy")))
    tomllib.loads(project)
    (home / "pyproject.toml").write_text(project)
    return home


def mutmut(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs mutmut in a folder made by `prepare`."""
    binaries = Path(sys.executable).parent
    environment = {
        **os.environ,
        "HYPOTHESIS_PROFILE": "mutants",
        "PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": "",
    }
    return subprocess.run(
        [str(binaries / "mutmut"), *arguments],
        cwd=home,
        env=environment,
        text=True,
        capture_output=True,
    )


def outcomes(home: Path, source: Path) -> dict[str, str]:
    """What became of each mutant of a file, by its name."""
    record = home / "mutants" / f"{source}.meta"
    if not record.exists():
        return {}
    codes = json.loads(record.read_text())["exit_code_by_key"]
    return {name: OUTCOMES.get(code, "timeout") for name, code in codes.items()}


def forget(home: Path, source: Path) -> None:
    """Makes mutmut run again what was not killed, and look again at which test runs what."""
    (home / "mutants" / "mutmut-stats.json").unlink(missing_ok=True)
    record = home / "mutants" / f"{source}.meta"
    if record.exists():
        found = json.loads(record.read_text())
        codes = found["exit_code_by_key"]
        for name, code in codes.items():
            codes[name] = code if OUTCOMES.get(code) in ("killed", "types") else None
        record.write_text(json.dumps(found, indent=4))


def run(source: Path, processes: int, again: bool, types: bool) -> dict[str, str]:
    """Runs all mutants of a file; again only new ones and those that were not killed."""
    home = CACHE / f"{source.parent.name}-{source.stem}"
    if again:
        forget(home, source)
    else:
        shutil.rmtree(home, ignore_errors=True)
    prepare(source, types)
    done = mutmut(home, "run", "--max-children", str(processes))
    if done.returncode and outcomes(home, source):  # a file without functions has no mutants
        lines = [line for line in done.stdout.splitlines() if not line.startswith(SPINNER)]
        raise SystemExit("\n".join([f"{source}: mutmut failed", *lines[-60:], done.stderr[-2000:]]))
    return outcomes(home, source)


def main() -> None:
    """Prints a line of counts for each file, then the diffs of what survived."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--again", action="store_true", help="only what was not killed last time")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--no-types", dest="types", action="store_false", help="without mypy")
    parser.add_argument("--quiet", action="store_true", help="counts without diffs")
    chosen = parser.parse_args()
    os.nice(15)
    print("| file | mutants |", " | ".join(COLUMNS), "|")
    for path in chosen.files:
        source = path.resolve().relative_to(ROOT)
        if source.stem == "__init__":
            continue
        found = run(source, chosen.processes, chosen.again, chosen.types)
        counts = Counter(found.values())
        row = [str(counts[column]) for column in COLUMNS]
        print(f"| `{source.parent.name}/{source.name}` | {len(found)} |", " | ".join(row), "|")
        sys.stdout.flush()
        if chosen.quiet:
            continue
        os.chdir(CACHE / f"{source.parent.name}-{source.stem}")
        for name, what in found.items():
            if what not in ("killed", "types"):
                print(f"# {name}: {what}", get_diff_for_mutant(name, path=source), sep="\n")
        os.chdir(ROOT)


if __name__ == "__main__":
    main()
