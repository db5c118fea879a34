"""The house rules hold for every file, without a list of exceptions.

The rules themselves are in `support/house.py`. The last part of this file shows on a few lines
of text that each of them is able to fail.
"""

import ast
import importlib
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from house import (
    DOORS,
    PURE_ROOMS,
    RANKS,
    ROOT,
    SRC,
    Source,
    empty_names,
    everything,
    exports,
    graph,
    impurities,
    loop,
    misexported,
    offences,
    outward,
    oversized,
    own_doing,
    package,
    room,
    undocumented,
)

MOST_PUBLIC_NAMES = 40

# Joined here, so that this file does not hold what it looks for.
REGISTRIES = [
    "".join(parts)
    for parts in [
        ("pypi", ".org"), ("python", "hosted.org"), ("npmjs", ".org"), ("deb.", "debian.org"),
    ]
]  # fmt: skip
HERE = [f"{place}/" for place in (ROOT, Path(sys.prefix), Path.home()) if len(place.parts) > 2]
NOT_IN_FILES = [*REGISTRIES, *HERE]
"""Hosts of registries, and where this checkout, its owner and its interpreter live."""


def test_every_file_has_a_room() -> None:
    """A new top-level folder or module is first of all a line in RANKS or DOORS."""
    assert [s.name for s in package() if room(s.name) not in {*RANKS, *DOORS}] == []


def test_imports_point_inward() -> None:
    """No room knows a room further out, nor one beside it."""
    edges = graph(package())
    assert offences(lambda source: outward(source, edges)) == []


def test_no_import_loops() -> None:
    """Not even with imports inside functions."""
    assert loop(graph(package())) == []


def test_pure_rooms_are_pure() -> None:
    """The contract and the protocol wait for nobody, and read, write and log nothing."""
    pure = [source for source in package() if room(source.name) in PURE_ROOMS]
    assert [each for each in offences(impurities, pure) if each] == []


def test_names_say_what_a_thing_is() -> None:
    """No name falls back on a word that fits everything."""
    assert offences(empty_names) == []


def test_public_things_have_docstrings() -> None:
    """Whatever has a public name says what it is or does."""
    assert offences(undocumented) == []


def test_files_and_functions_are_small() -> None:
    """In the package and in everything around it."""
    assert offences(oversized, everything()) == []


def test_exports_equal_all() -> None:
    """`__all__` is what a file defines for others, or what it hands on."""
    homes = {source.name: source for source in package()}
    assert offences(lambda source: misexported(source, homes)) == []


def test_exports_exist() -> None:
    """Every name in every `__all__` is there, lazy ones included."""
    listed = [(s.name, name) for s in package() for name in exports(s) or []]
    assert [
        f"{module}.{name}"
        for module, name in listed
        if not hasattr(importlib.import_module(module), name)
    ] == []


def test_public_names_are_few() -> None:
    """What a user types fits on one screen."""
    front = [len(exports(s) or []) for s in package() if s.name == "handrail"]
    assert [count for count in front if count > MOST_PUBLIC_NAMES] == []


def test_doors_define_nothing() -> None:
    """A public door hands names on."""
    assert offences(own_doing) == []


def test_every_source_file_has_its_test_twin() -> None:
    """`src/handrail/a/b.py` is tested in `tests/a/test_b.py`."""
    twins = [
        Path("tests", *s.path.parts[2:-1], f"test_{s.path.stem.strip('_')}.py")
        for s in package()
        if not s.is_package
    ]
    assert [str(twin) for twin in twins if not (ROOT / twin).is_file()] == []


def test_every_folder_states_its_rule() -> None:
    """A folder without a rule of its own should not exist."""
    ruled = {
        s.path.parent
        for s in package()
        if s.is_package and "RULE:" in (ast.get_docstring(s.tree) or "")
    }
    folders = {s.path.parent for s in package()} - {Path("src/handrail")}
    assert sorted(map(str, folders - ruled)) == []


def test_no_file_names_a_registry_or_a_machine() -> None:
    """Nothing that the repository keeps depends on where it was written."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(listing, cwd=ROOT, check=True, capture_output=True, text=True)
    names = [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]
    assert names, "git lists no files: the test needs a clone"
    texts = {name: (ROOT / name).read_text(encoding="utf-8", errors="replace") for name in names}
    assert [f"{n}: {bad}" for n, text in texts.items() for bad in NOT_IN_FILES if bad in text] == []


# ---- the rules can fail


def sample(name: str, text: str) -> Source:
    """A file that is not on disk."""
    return Source.of(SRC / f"{name}.py", text)


@pytest.mark.parametrize(
    ("rule", "text", "expected"),
    [
        (impurities, "async def f():\n    await g()", 2),
        (impurities, "import os.path\nfrom time import sleep\nfrom datetime import date", 2),
        (impurities, "import uuid\nfrom uuid import uuid4\nfrom uuid import UUID", 2),
        (impurities, "x = open('f')\ny = datetime.now()\nz = other.open()", 2),
        (empty_names, "class ToolManager: ...\ndef process_call(): ...\ndef serviced(): ...", 2),
        (undocumented, "'''M.'''\nclass A:\n    def f(self): ...\n    def _g(self): ...", 2),
        (oversized, "x = 1\n" * 501, 1),
        (oversized, "T = {\n" + "  1: 2,\n" * 600 + "}\n", 0),
        (oversized, "T = [\n" + "  f(lambda: 1),\n" * 600 + "]\n", 1),
        (oversized, "def f():\n" + "    x = 1\n" * 50, 1),
        (lambda s: misexported(s, {}), "def f(): ...", 1),
        (lambda s: misexported(s, {}), "__all__ = []\ndef f(): ...\ndef _g(): ...", 1),
        (lambda s: misexported(s, {}), "__all__: list[str] = []", 0),
    ],
)
def test_rules_catch(rule: Callable[[Source], Iterable[str]], text: str, expected: int) -> None:
    """Each rule finds what it is there to find, and no more."""
    found = [each for each in rule(sample("handrail/contract/sample", text)) if each]
    assert len(found) == expected


@pytest.mark.parametrize(
    ("importer", "text", "expected"),
    [
        ("contract/a", "from handrail.wire import shapes", 0),
        ("wire/a", "from handrail.contract.issue import Issue", 1),
        ("runtime/a", "def f():\n    import handrail.stores.memory", 1),
        ("runtime/a", "from ..stores import memory", 1),
        ("runtime/a", "import_module('handrail.cli.main')", 1),
        ("contract/a", "from handrail.policy import set_ceilings", 1),
        ("sdk/a", "from handrail.policy import set_ceilings", 0),
        ("runtime/a", "from handrail import Toolbox", 1),
        ("testing", "from handrail import Toolbox", 0),
    ],
)
def test_direction_is_seen(importer: str, text: str, expected: int) -> None:
    """Early, late, relative and dynamic imports count, and a door counts as what is behind it."""
    doors = [
        sample("handrail/policy", "from handrail.runtime.config import set_ceilings"),
        sample("handrail/__init__", "from handrail.sdk.box import Toolbox"),
    ]
    source = sample(f"handrail/{importer}", text)
    assert len(list(outward(source, graph([*doors, source])))) == expected


def test_loops_are_seen() -> None:
    """A loop through a late import is a loop."""
    first = sample("handrail/wire/a", "import handrail.wire.b")
    second = sample("handrail/wire/b", "def f():\n    from handrail.wire import a")
    assert set(loop(graph([first, second]))) == {"handrail.wire.a", "handrail.wire.b"}


def test_doors_are_watched() -> None:
    """A function that strays into a door is found; the lazy hook is not one."""
    text = "def __getattr__(name): ...\ndef stray(): ...\nclass Stray: ..."
    assert len(list(own_doing(sample("handrail/chat", text)))) == 2
