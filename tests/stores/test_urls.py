"""From a URL to a store."""

import subprocess
import sys
from pathlib import Path

import pytest

from handrail.errors import ConfigError
from handrail.stores.urls import open_store
from postgres import Server


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("", "store='' is not understood: give 'sqlite:///file.db'"),
        ("file.db", "store='file.db' is not understood"),
        ("mysql://root:hunter2@host/db", "store=mysql://… is not understood"),
        ("sqlite://", "names no file"),
        ("sqlite:///:memory:", "names no file"),
        ("postgresql://me:hunter2@host", "store=postgresql://… names no database"),
        ("postgresql://me:hunter2@host:port/x", "cannot be read as a URL"),
    ],
)
def test_a_url_that_leads_nowhere_is_told(url: str, told: str) -> None:
    """Without the password that may be in it."""
    with pytest.raises(ConfigError) as error:
        open_store(url)
    assert told in str(error.value)
    assert "hunter2" not in str(error.value)


def test_settings_that_make_no_sense_are_refused(tmp_path: Path) -> None:
    """Before anything is made."""
    with pytest.raises(ConfigError, match="keep_days=-1"):
        open_store(f"sqlite:///{tmp_path}/a.db", keep_days=-1)
    assert list(tmp_path.iterdir()) == []


def test_a_relative_file_is_made_in_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One file, when it is closed."""
    monkeypatch.chdir(tmp_path)
    open_store("sqlite:///a b.db").close()
    assert [path.name for path in tmp_path.iterdir()] == ["a b.db"]


def test_the_older_name_of_postgres_is_understood(postgres: Server) -> None:
    """As many hosts still give it."""
    store = open_store(postgres.new_place().replace("postgresql:", "postgres:"))
    assert store.place.startswith("postgresql://postgres@127.0.0.1:")
    store.close()


WITHOUT = """
import sys
from importlib.machinery import PathFinder

class Without(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name.partition(".")[0] == sys.argv[1]:
            return None
        return PathFinder.find_spec(name, path, target)

sys.meta_path = [one for one in sys.meta_path if one is not PathFinder] + [Without]
from handrail.errors import ConfigError
from handrail.stores.memory import MemoryStore
from handrail.stores.urls import open_store
MemoryStore().close()
try:
    open_store("sqlite:///a.db")
except ConfigError as error:
    print(error)
"""


@pytest.mark.parametrize("missing", ["sqlalchemy", "alembic", "psycopg"])
def test_what_is_not_installed_is_named_with_its_extra(missing: str) -> None:
    """The store in memory needs none of it."""
    command = [sys.executable, "-c", WITHOUT, missing]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    expected = f"a store on disk needs {missing}: pip install 'handrail[sql]'"
    assert done.stdout.strip() == expected
