"""Which handrail this is."""

from importlib import metadata

import pytest

from handrail.cli.version import version_line


def test_installed_version_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the package's own data has it."""
    monkeypatch.setattr("handrail.cli.version.version", lambda _: "1.2.3")
    assert version_line() == "handrail 1.2.3"


def test_source_tree_says_that_it_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no version then."""

    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr("handrail.cli.version.version", missing)
    assert version_line() == "handrail (not installed, run from its source)"
