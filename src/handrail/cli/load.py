"""APP on the command line: a file or a module, and the object in it that is meant.

``path/to/app.py``, ``package.module``, and either of them with ``:name``. Without a name the one
object of a fitting kind is taken.
"""

import importlib
import importlib.util
import sys
import traceback
from contextlib import redirect_stdout
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import TypeVar

from handrail.errors import ConfigError
from handrail.sdk.chat import ChatExtension
from handrail.sdk.extension import Extension

__all__ = ["load_app", "load_extension"]

T = TypeVar("T")


def load_app(app: str, kind: type[T], *others: type[T]) -> T:
    """The object that APP means.

    Args:
        app: As typed.
        kind: What the command can work with.
        others: Further kinds.

    Raises:
        ConfigError: There is no such file, module or object, it cannot be imported, or it is
            not clear which object is meant.
    """
    where, name = _split(app)
    return _chosen(_module(where), where, name, (kind, *others))


def load_extension(app: str) -> Extension:
    """The extension that APP means: by itself, or as that of a chat.

    Raises:
        ConfigError: As `load_app`.
    """
    where, name = _split(app)
    module = _module(where)
    there = any(isinstance(one, Extension) for one in vars(module).values())
    kinds: tuple[type[object], ...] = (Extension, ChatExtension)
    found = _chosen(module, where, name, kinds[:1] if there and not name else kinds)
    ext = found.ext if isinstance(found, ChatExtension) else found
    assert isinstance(ext, Extension)
    return ext


def _chosen(module: ModuleType, where: str, name: str, kinds: tuple[type[T], ...]) -> T:
    if name:
        return _named(module, where, name, kinds)
    found = {id(one): key for key, one in reversed(vars(module).items()) if isinstance(one, kinds)}
    names = sorted(found.values())
    if not names:
        advice = f"make one at the top level, or name it as {where}:name"
        raise ConfigError(f"{where} holds no {_words(kinds)}: {advice}")
    if len(names) > 1:
        listed = ", ".join(f"{where}:{one}" for one in names)
        raise ConfigError(f"{where} holds {len(names)} of them: choose one of {listed}")
    return _named(module, where, names[0], kinds)


def _split(app: str) -> tuple[str, str]:
    where, colon, name = app.rpartition(":")
    if colon and where and name.isidentifier():
        return where, name
    if colon and where and not name:
        raise ConfigError(f"{app!r} ends in a colon: write the name behind it, or leave it out")
    return app, ""


def _named(module: ModuleType, where: str, name: str, kinds: tuple[type[T], ...]) -> T:
    if not hasattr(module, name):
        names = sorted(key for key, one in vars(module).items() if isinstance(one, kinds))
        there = f"there is {', '.join(names)}" if names else f"there is no {_words(kinds)} either"
        raise ConfigError(f"{where} has nothing named {name!r}; {there}")
    found = getattr(module, name)
    if not isinstance(found, kinds):
        raise ConfigError(
            f"{where}:{name} is of type {type(found).__name__}, expected {_words(kinds)}"
        )
    return found


def _words(kinds: tuple[type[T], ...]) -> str:
    return " or ".join(kind.__name__ for kind in kinds)


def _module(where: str) -> ModuleType:
    if where.endswith(".py") or "/" in where or "\\" in where:
        return _from_file(Path(where))
    if not all(part.isidentifier() for part in where.split(".")):
        raise ConfigError(
            f"{where!r} is neither a file nor a module: write path/to/app.py or package.module"
        )
    sys.path.insert(0, "")
    try:
        with redirect_stdout(sys.stderr):  # what an app prints is no part of a report
            return importlib.import_module(where)
    except ModuleNotFoundError as error:
        if error.name is not None and (where == error.name or where.startswith(f"{error.name}.")):
            hint = f"; did you mean {where}.py?" if Path(f"{where}.py").is_file() else ""
            raise ConfigError(f"there is no module {where!r} here{hint}") from error
        raise _broken(where, error) from error
    except (Exception, SystemExit) as error:
        raise _broken(where, error) from error
    finally:
        sys.path.remove("")


class _FromText(SourceFileLoader):
    """Reads a file as it is now: kept bytecode may be of a text that was there a moment ago."""

    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(self.get_data(self.path), self.path)


def _from_file(path: Path) -> ModuleType:
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "there is no such file"
        raise ConfigError(f"{path}: {what}; APP is path/to/app.py or package.module")
    here = str(path.resolve())
    loader = _FromText(path.stem, here) if here.endswith(".py") else None
    spec = importlib.util.spec_from_file_location(path.stem, here, loader=loader)
    if spec is None or spec.loader is None:
        raise ConfigError(f"{path}: is not a Python file (its name must end in .py)")
    module = importlib.util.module_from_spec(spec)
    known = sys.modules.get(path.stem)
    sys.modules[path.stem] = module
    sys.path.insert(0, str(path.resolve().parent))
    try:
        with redirect_stdout(sys.stderr):
            spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise _broken(str(path), error) from error
    finally:
        sys.path.remove(str(path.resolve().parent))
        if known is not None:  # an app named like a module that is in use must not displace it
            sys.modules[path.stem] = known
    return module


def _broken(where: str, error: BaseException) -> ConfigError:
    """What the app raised, and the line of the app where it did."""
    if isinstance(error, SyntaxError):
        return ConfigError(f"{where} cannot be imported: {error}")
    frames = [
        frame for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith("<frozen") and frame.filename != __file__
    ]  # fmt: skip
    own = [frame for frame in frames if Path(frame.filename).name == Path(where).name] or frames
    place = f", line {own[-1].lineno} of {Path(own[-1].filename).name}" if own else ""
    return ConfigError(f"{where} cannot be imported: {type(error).__name__}: {error}{place}")
