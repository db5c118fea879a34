"""APP on the command line."""

import sys
from pathlib import Path

import pytest

from handrail import Toolbox
from handrail.cli.load import load_app, load_extension
from handrail.errors import ConfigError

ONE = "from handrail import Toolbox\nbox = Toolbox(name='one')\n"
TWO = ONE + "other = Toolbox(name='two')\nnumber = 3\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with an app, a package, and a broken app."""
    (tmp_path / "one_app.py").write_text(ONE)
    (tmp_path / "two_app.py").write_text(TWO)
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "inner.py").write_text("from handrail import Toolbox as T\nbox = T()\n")
    (tmp_path / "broken.py").write_text("import os\n\nraise KeyError('x')\n")
    (tmp_path / "leaves.py").write_text("raise SystemExit(3)\n")
    (tmp_path / "wrong.py").write_text("def f(:\n")
    (tmp_path / "needs.py").write_text("import no_such_package_anywhere\n")
    (tmp_path / "empty.py").write_text("")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "modules", dict(sys.modules))
    return tmp_path


@pytest.mark.parametrize(
    ("app", "expected"),
    [
        ("one_app.py", "one"),
        ("one_app.py:box", "one"),
        ("./two_app.py:other", "two"),
        ("one_app", "one"),
        ("two_app:other", "two"),
        ("pack.inner", "handrail"),
        ("pack/inner.py:box", "handrail"),
    ],
)
def test_app_is_found(folder: Path, app: str, expected: str) -> None:
    """By file or by module, by name or as the only one."""
    assert load_app(app, Toolbox).name == expected


@pytest.mark.parametrize(
    ("app", "problem"),
    [
        ("none.py", "none.py: there is no such file; APP is path/to/app.py or package.module"),
        ("pack/", "pack: is a folder; APP is path/to/app.py or package.module"),
        ("no_such", "there is no module 'no_such' here"),
        ("a b", "'a b' is neither a file nor a module: write path/to/app.py or package.module"),
        ("one_app.py:", "'one_app.py:' ends in a colon: write the name behind it, or leave it out"),
        ("one_app.py:bix", "one_app.py has nothing named 'bix'; there is box"),
        ("empty.py:box", "empty.py has nothing named 'box'; there is no Toolbox either"),
        ("two_app.py:number", "two_app.py:number is of type int, expected Toolbox"),
        (
            "two_app.py",
            "two_app.py holds 2 of them: choose one of two_app.py:box, two_app.py:other",
        ),
        (
            "empty.py",
            "empty.py holds no Toolbox: make one at the top level, or name it as empty.py:name",
        ),
        ("broken.py", "broken.py cannot be imported: KeyError: 'x', line 3 of broken.py"),
        ("leaves.py", "leaves.py cannot be imported: SystemExit: 3, line 1 of leaves.py"),
        (
            "needs",
            "needs cannot be imported: ModuleNotFoundError: No module named "
            "'no_such_package_anywhere', line 1 of needs.py",
        ),
    ],
)
def test_what_is_wrong_is_a_sentence(folder: Path, app: str, problem: str) -> None:
    """It names the place and the way out."""
    with pytest.raises(ConfigError) as raised:
        load_app(app, Toolbox)
    assert str(raised.value) == problem


def test_syntax_error_has_its_line(folder: Path) -> None:
    """As Python tells it."""
    with pytest.raises(ConfigError, match=r"wrong\.py cannot be imported: .*line 1"):
        load_app("wrong.py", Toolbox)


def test_module_in_use_is_not_displaced(folder: Path) -> None:
    """An app that is named like one of the interpreter's own modules changes nothing."""
    import json

    Path("json.py").write_text(ONE)
    assert load_app("json.py", Toolbox).name == "one"
    assert sys.modules["json"] is json


def test_path_is_as_before(folder: Path) -> None:
    """Whether it went well or not."""
    before = list(sys.path)
    for app in ("one_app.py", "one_app", "broken.py", "no_such"):
        try:
            load_app(app, Toolbox)
        except ConfigError:
            continue
    assert sys.path == before


def test_what_an_app_prints_stays_out_of_the_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Standard output is the report's alone."""
    app = tmp_path / "talkative.py"
    app.write_text("from handrail import Toolbox\nprint('hello')\nbox = Toolbox()\n")
    load_app(str(app), Toolbox)
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", "hello\n")


EXTENSION = """
from handrail import Extension, Toolbox
from handrail.chat import ChatExtension
ext = Extension("one")
chat = ChatExtension(ext, "one", "One")
box = Toolbox()
"""


def test_extension_goes_before_its_chat(folder: Path) -> None:
    """Without a name the one extension; by name, a chat stands for its extension."""
    Path("ext_app.py").write_text(EXTENSION)
    for app in ("ext_app.py", "ext_app.py:ext", "ext_app.py:chat", "ext_app"):
        assert load_extension(app).app_id == "one"


def test_chat_alone_stands_for_its_extension(folder: Path) -> None:
    """As in a file of handlers that imports only the chat."""
    Path("ext_app.py").write_text(EXTENSION)
    Path("handlers.py").write_text("from ext_app import chat\n")
    assert load_extension("handlers.py").app_id == "one"


def test_no_or_several_extensions(folder: Path) -> None:
    """The way out is named."""
    Path("ext_app.py").write_text(EXTENSION + "more = Extension('two')\n")
    with pytest.raises(ConfigError, match=r"choose one of ext_app\.py:ext, ext_app\.py:more"):
        load_extension("ext_app.py")
    with pytest.raises(ConfigError, match="holds no Extension or ChatExtension"):
        load_extension("one_app.py")
    with pytest.raises(ConfigError, match="is of type Toolbox, expected Extension or Chat"):
        load_extension("ext_app.py:box")


def test_a_file_is_read_as_it_is_now(tmp_path: Path) -> None:
    """Bytecode that was kept a moment ago may be of another text of the same length."""
    app = tmp_path / "fresh_app.py"
    for name in ("one", "two"):
        app.write_text(f"from handrail import Toolbox\nbox = Toolbox(name={name!r})\n")
        assert load_app(str(app), Toolbox).name == name
