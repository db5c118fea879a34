"""Texts that a model reads, kept as plain files and compared byte for byte."""

import os
from pathlib import Path

__all__ = ["matches_snapshot"]


def matches_snapshot(text: str, name: str, folder: str = "contract") -> bool:
    """Whether `text` equals ``tests/<folder>/snapshots/<name>.txt``.

    With ``HANDRAIL_UPDATE_SNAPSHOTS=1`` the file is written instead. A final newline is added to
    the file, so that editors leave it alone.
    """
    path = Path(__file__).parents[1] / folder / "snapshots" / f"{name}.txt"
    if os.environ.get("HANDRAIL_UPDATE_SNAPSHOTS") == "1":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n", encoding="utf-8", newline="")
    expected = path.read_bytes().decode("utf-8").removesuffix("\n")
    assert expected == text, f"{path.name} differs; HANDRAIL_UPDATE_SNAPSHOTS=1 rewrites it"
    return True
