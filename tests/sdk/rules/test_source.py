"""The author's source is read as it stands."""

from pathlib import Path

from extensions import GOOD, edited, loaded
from handrail.sdk.rules.source import Sources, place_of


def test_handler_is_found_behind_its_decorators(tmp_path: Path) -> None:
    """By the line at which it begins."""
    app = loaded(tmp_path)
    function = next(one for one in app.functions if one.name == "drop_book")
    known = app.sources.node_of(function.handler)
    assert known is not None
    assert (known[0].path.name, known[1].name) == ("shelf_app.py", "drop_book")


def test_imports_from_the_same_folder_are_followed(tmp_path: Path) -> None:
    """Modules, packages and relative imports, each once; loops end."""
    (tmp_path / "pack").mkdir()
    files = {
        "one.py": "import two\nfrom pack import inner\n",
        "two.py": "import one, missing\n",
        "pack/__init__.py": "",
        "pack/inner.py": "from . import other\nfrom .other import x\n",
        "pack/other.py": "from .. import one",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    read = Sources(tmp_path, [str(tmp_path / "one.py")]).files
    assert sorted(str(path.relative_to(tmp_path)) for path in read) == sorted(files)


def test_unreadable_files_are_left_out(tmp_path: Path) -> None:
    """A syntax error or a missing file is somebody else's finding."""
    (tmp_path / "bad.py").write_text("def f(:")
    names = [str(tmp_path / "bad.py"), str(tmp_path / "none.py"), ""]
    assert Sources(tmp_path, names).files == {}


def test_handler_without_source_has_no_place(tmp_path: Path) -> None:
    """A builtin."""
    assert place_of(len) == ("", 0)
    assert loaded(tmp_path).sources.node_of(len) is None


def test_callable_object_is_placed_at_its_method() -> None:
    """A class with ``__call__``."""

    class Handler:
        def __call__(self, ctx: object) -> None:
            """Nothing."""

    assert place_of(Handler()).line > 0


def test_template_is_edited_or_the_test_is_wrong() -> None:
    """Edits that change nothing would let a rule pass unseen."""
    assert edited(("Gone.", "Away.")) != GOOD
