"""What the tests of commands share."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _forgotten(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Apps that a command imported are of one test: the next one has others of the same name."""
    yield
    folder = str(tmp_path_factory.getbasetemp())
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and str(Path(file).resolve()).startswith(folder):
            del sys.modules[name]
