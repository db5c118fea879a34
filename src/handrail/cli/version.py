"""Which handrail this is."""

from importlib.metadata import PackageNotFoundError, version

__all__ = ["version_line"]


def version_line() -> str:
    """Name and version."""
    try:
        return f"handrail {version('handrail')}"
    except PackageNotFoundError:
        return "handrail (not installed, run from its source)"
