"""What is installed, and what it brings."""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
LOCKS = sorted(ROOT.glob("constraints*.txt"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]

BASE = {
    "annotated_types",
    "handrail",
    "jsonschema_rs",
    "pydantic",
    "pydantic_core",
    "typing_extensions",
    "typing_inspection",
}

# Runs in a fresh interpreter that finds nothing installed but the base.
BASE_ONLY = f"""
import sys
from importlib.metadata import packages_distributions

EXTRA = set(packages_distributions()) - {BASE!r}


class OnlyBase:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in EXTRA:
            raise ModuleNotFoundError("an extra was imported: " + name, name=name)


sys.meta_path.insert(0, OnlyBase())
import handrail
for name in handrail.__all__:
    getattr(handrail, name)
"""

# As above, but nothing is hidden: what does the import load besides the standard library?
LOADED = """
import sys
before = set(sys.modules)
import pydantic
import handrail
from importlib.metadata import packages_distributions
tops = {name.partition(".")[0] for name in set(sys.modules) - before}
print("loaded", *sorted(tops & set(packages_distributions())))
"""


def python(code: str) -> subprocess.CompletedProcess[str]:
    """`code` in a fresh interpreter."""
    command = [sys.executable, "-W", "error", "-c", code]
    path = {"PYTHONPATH": str(ROOT / "src")}
    return subprocess.run(command, check=False, capture_output=True, text=True, env=path)


def pins(lock: Path) -> dict[str, tuple[str, int]]:
    """Each pinned name with its version and how many hashes vouch for it."""
    found: dict[str, tuple[str, int]] = {}
    for block in re.split(r"\n(?=[A-Za-z0-9])", lock.read_text(encoding="utf-8")):
        if match := re.match(r"([A-Za-z0-9._-]+)==([^\s;\\]+)", block):
            found[canonicalize_name(match[1])] = (match[2], block.count("--hash=sha256:"))
    return found


def unmet(requirements: list[str], lock: Path) -> list[str]:
    """Requirements that the lock does not satisfy."""
    pinned = {name: version for name, (version, _) in pins(lock).items()}
    needs = [(Requirement(text), text) for text in requirements]
    return [
        text
        for need, text in needs
        if (version := pinned.get(canonicalize_name(need.name))) is None
        or not need.specifier.contains(version)
    ]


def test_the_base_install_is_enough() -> None:
    """Every public name can be had with pydantic and jsonschema-rs alone."""
    done = python(BASE_ONLY)
    assert (done.returncode, done.stderr) == (0, "")


def test_import_loads_no_extra() -> None:
    """An extra that happens to be installed is still imported late."""
    loaded = python(LOADED).stdout.split()
    assert loaded[:1] == ["loaded"]
    assert set(loaded[1:]) - BASE == set()


def test_two_base_dependencies() -> None:
    """The metadata of the installed distribution asks for two packages and no more."""
    asked = [Requirement(text) for text in requires("handrail") or []]
    base = sorted(need.name for need in asked if "extra" not in str(need.marker))
    assert base == ["jsonschema-rs", "pydantic"]


def test_all_is_the_sum_of_the_extras() -> None:
    """A new extra is also part of `all`."""
    (everything,) = EXTRAS["all"]
    assert Requirement(everything).extras == set(EXTRAS) - {"all"}


def test_the_package_is_typed() -> None:
    """Type checkers read our annotations."""
    assert (ROOT / "src/handrail/py.typed").is_file()


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_every_pin_has_a_hash(lock: Path) -> None:
    """What is installed is what was locked, byte for byte."""
    lines = lock.read_text(encoding="utf-8").splitlines()
    entries = [line for line in lines if line[:1].isalnum()]
    assert len(entries) == len(pins(lock)) > 0
    assert [name for name, (_, hashes) in pins(lock).items() if not hashes] == []


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_locks_name_no_host_and_no_folder(lock: Path) -> None:
    """Any mirror may serve the files: a lock holds names, versions, markers and hashes."""
    known = re.compile(r"[A-Za-z0-9._-]+==\S+( ; .+?)?( \\)?|    --hash=sha256:[0-9a-f]{64}( \\)?")
    lines = lock.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if not known.fullmatch(line) and "#" not in line] == []
    assert [line for line in lines if re.search(r"https?:|file:|@|^\s*-[fi]\b|/\w", line)] == []


def test_the_lock_covers_demo_and_tests() -> None:
    """What the project asks for and what the lock holds agree, the build backend included."""
    wanted = PROJECT["project"]["dependencies"] + PROJECT["build-system"]["requires"]
    wanted += EXTRAS["cli"] + EXTRAS["models"] + EXTRAS["sql"] + PROJECT["dependency-groups"]["dev"]
    assert unmet(wanted, ROOT / "constraints.txt") == []


def test_the_local_lock_agrees_with_the_main_one() -> None:
    """Installing the local engine changes no package that is there already."""
    main, local = pins(ROOT / "constraints.txt"), pins(ROOT / "constraints-local.txt")
    assert unmet(EXTRAS["local"], ROOT / "constraints-local.txt") == []
    assert {n: v for n, (v, _) in local.items() if main.get(n, (v, 0))[0] != v} == {}


def test_an_unmet_requirement_is_seen() -> None:
    """The check of the lock is able to fail."""
    lock = ROOT / "constraints.txt"
    assert unmet(["pydantic<2", "no-such-package"], lock) == ["pydantic<2", "no-such-package"]
