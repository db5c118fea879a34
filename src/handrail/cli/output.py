"""Where a command writes: the terminal, or a file that is whole or not there."""

import json
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from handrail.errors import ConfigError

__all__ = ["write_json", "writing_to"]


@contextmanager
def writing_to(path: Path | None) -> Iterator[TextIO]:
    """Standard output, or a file that appears under its name only when it is complete.

    Raises:
        ConfigError: There is no such folder, or the name is taken by one.
        OSError: The file cannot be written.
    """
    if path is None:
        yield sys.stdout
        return
    if not path.parent.is_dir() or path.is_dir():
        raise ConfigError(f"{path} cannot be written: it must be a file in an existing folder")
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            yield file
        Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def write_json(value: object, out: TextIO) -> None:
    """One JSON value, readable; characters that the output cannot hold are escaped."""
    unicode = (out.encoding or "utf-8").lower().replace("-", "") == "utf8"
    text = json.dumps(value, ensure_ascii=not unicode, indent=2)
    out.write(text.encode("utf-8", "backslashreplace").decode("utf-8") + "\n")


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
