"""A store that this process may not write, and one on a disk that is really full."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from handrail.errors import StoreError
from handrail.stores.urls import open_store
from store_rows import entry

CHILD = """
import os, sys, tempfile
from handrail.errors import StoreError
from handrail.protocol.rows import EntryRow
from handrail.stores.urls import open_store
with tempfile.TemporaryDirectory() as own:  # loads what the other user might not be able to load
    for _ in range(2):
        store = open_store(f"sqlite:///{own}/own.db")
        store.record([EntryRow("y/0", "y", "t", "Proposed", 1.0, {})], durable=True)
        store.close()
if os.getuid() == 0:
    os.setgid(65534), os.setuid(65534)
def tell(do):
    try:
        print(do(), flush=True)
    except StoreError as error:
        print(error, flush=True)
def write():
    with store.group() as rows:
        rows.journal.write([EntryRow("y/1", "y", "t", "Proposed", 1.0, {})])
def read():
    with store.reading() as rows:
        return [one.id for one in rows.journal.read()]
try:
    store = open_store(sys.argv[1], wait_s=0.1)
except StoreError as error:
    print(error)
    sys.exit()
tell(write)
tell(lambda: store.record([EntryRow("y/2", "y", "t", "Proposed", 1.0, {})], durable=True))
tell(read)
store.close()
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that others may enter."""
    made = Path(tempfile.mkdtemp(prefix="handrail-read-only-"))
    made.chmod(0o755)
    yield made
    made.chmod(0o755)
    shutil.rmtree(made)


def said_by_another_user(file: Path) -> list[str]:
    """What a process may do that owns nothing."""
    command = [sys.executable, "-W", "error", "-c", CHILD, f"sqlite:///{file}"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd="/")
    assert done.stderr == ""
    return done.stdout.splitlines()


def filled(file: Path) -> None:
    """A store with one entry."""
    store = open_store(f"sqlite:///{file}")
    store.record([entry(1)], durable=True)
    store.close()


def test_a_file_that_may_only_be_read_is_read(folder: Path) -> None:
    """Where SQLite can make its two files beside it."""
    filled(folder / "store.db")
    (folder / "store.db").chmod(0o444)
    folder.chmod(0o777)
    first, second, third = said_by_another_user(folder / "store.db")
    told = f"sqlite:///{folder}/store.db: it may only be read: allow this process to write"
    assert first.startswith(told)
    assert second.startswith(told)
    assert third == "['x/1']"


def test_a_folder_that_may_only_be_read_is_told(folder: Path) -> None:
    """Nothing is made in it, and the file is as it was."""
    filled(folder / "store.db")
    before = (folder / "store.db").read_bytes()
    (folder / "store.db").chmod(0o444)
    folder.chmod(0o555)
    said = said_by_another_user(folder / "store.db")
    place = f"sqlite:///{folder}/store.db: "
    assert said[0].startswith(place)
    assert "may write there" in said[0] or "may only be read" in said[0]
    assert (folder / "store.db").read_bytes() == before


def test_a_new_store_in_such_a_folder_is_told(folder: Path) -> None:
    """With what to see to."""
    folder.chmod(0o555)
    (said,) = said_by_another_user(folder / "store.db")
    assert said.startswith(f"sqlite:///{folder}/store.db: the file cannot be opened or made: see")


@pytest.fixture
def small_disk(folder: Path) -> Iterator[Path]:
    """A disk of 600 KB."""
    mount = ["mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", str(folder)]
    if os.getuid() or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("this user may mount no file system, so no disk is really filled here")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_disk_that_is_really_full(small_disk: Path) -> None:
    """Each row is there or it is not; reading goes on, and writing when there is room."""
    ballast = small_disk / "ballast"
    ballast.write_bytes(b"x" * 250_000)
    store, written = open_store(f"sqlite:///{small_disk}/store.db"), []

    def fill() -> None:
        for number in range(200):
            store.record([entry(number, body={"text": "x" * 3000})], durable=True)
            written.append(f"x/{number}")

    def kept() -> list[str]:
        with store.reading() as rows:
            return [one.id for one in rows.journal.read()]

    with pytest.raises(StoreError, match=r"store\.db: the disk"):
        fill()
    assert kept() == written != []
    ballast.unlink()
    store.record([entry(999)], durable=True)
    assert kept() == [*written, "x/999"]
    store.close()
