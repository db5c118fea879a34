"""What a rule looks at."""

from pathlib import Path

from extensions import loaded
from handrail.sdk.rules.app import Level


def test_callables_are_functions_and_tools(tmp_path: Path) -> None:
    """What can be called by name."""
    app = loaded(tmp_path)
    assert [one.name for one in app.functions] == ["list_books", "add_book", "drop_book"]
    assert [one.name for one in app.callables][3:] == ["count_books"]


def test_folder_is_where_the_extension_is_made(tmp_path: Path) -> None:
    """And so is its place."""
    app = loaded(tmp_path)
    assert app.folder == tmp_path.resolve()
    assert (app.place.file, app.place.line) == (str(tmp_path / "shelf_app.py"), 8)


def test_levels_in_words() -> None:
    """As printed and as in JSON."""
    assert [str(level) for level in Level] == ["ERROR", "WARN", "INFO"]
