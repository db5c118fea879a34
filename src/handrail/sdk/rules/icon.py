"""The rule about the app's icon: a drawing, and nothing that a browser would run or fetch.

The parser of the standard library is used with document types refused, so that no entity is ever
expanded.
"""

from collections.abc import Iterator
from xml.parsers import expat

from handrail.sdk.rules.app import App, Found

__all__ = ["icon"]

_MOST_BYTES = 100 * 1024
_RASTER = frozenset({"image", "feimage"})
_ACTIVE = frozenset({"script", "foreignobject", "iframe", "object", "embed", "audio", "video"})
_LINKS = frozenset({"href", "src"})


def icon(app: App) -> Iterator[Found]:
    """V21: the icon is there, is SVG of at most 100 KB with a viewBox, and only draws."""
    name = app.ext.icon
    path = app.folder / name
    if not name or not path.is_file():
        yield Found(f"icon {name!r} is not there: looked for {path}" if name else
                    "the app has no icon", app.place)  # fmt: skip
        return
    if path.suffix.lower() != ".svg":
        yield Found(f"icon {name!r} is no .svg file", app.place)
        return
    content = path.read_bytes()
    if len(content) > _MOST_BYTES:
        size = len(content) / 1024
        yield Found(f"icon {name!r} has {size:.0f} KB, at most 100 are allowed", app.place)
        return
    for fault in _Drawing().faults(content):
        yield Found(f"icon {name!r} {fault}", app.place)


class _Drawing:
    """Reads an SVG file and remembers what should not be in it."""

    def __init__(self) -> None:
        self._faults: list[str] = []
        self._depth = 0

    def faults(self, content: bytes) -> list[str]:
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.StartElementHandler = self._element
        parser.EndElementHandler = self._end
        parser.StartDoctypeDeclHandler = self._doctype
        try:
            parser.Parse(content, True)
        except expat.ExpatError as error:
            self._faults.append(f"is no XML ({expat.ErrorString(error.code)}, line {error.lineno})")
        except _Refused:
            self._faults.append("has a document type: leave it out")
        return list(dict.fromkeys(self._faults))

    def _doctype(self, *_: object) -> None:
        raise _Refused

    def _end(self, _: str) -> None:
        self._depth -= 1

    def _element(self, full: str, attributes: dict[str, str]) -> None:
        name = full.rpartition(" ")[2].lower()
        if self._depth == 0 and name != "svg":
            self._faults.append(f"is no SVG: its root is {name!r}")
        elif self._depth == 0 and "viewBox" not in attributes:
            self._faults.append("has no viewBox")
        self._depth += 1
        if name in _RASTER:
            self._faults.append(f"holds a raster image ({name})")
        if name in _ACTIVE:
            self._faults.append(f"holds something active ({name})")
        for key, value in attributes.items():
            self._attribute(key.rpartition(" ")[2].lower(), "".join(value.split()).lower())

    def _attribute(self, key: str, value: str) -> None:
        if key.startswith("on") or "javascript:" in value:
            self._faults.append(f"holds a script ({key})")
        elif "data:image/" in value and not value.startswith("data:image/svg"):
            self._faults.append(f"holds a raster image ({key})")
        elif key in _LINKS and value and not value.startswith("#"):
            self._faults.append(f"refers to something outside itself ({key})")


class _Refused(Exception):
    pass
