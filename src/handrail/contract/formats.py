"""What a named string format admits: pydantic's own reading, for both engines.

jsonschema-rs alone would refuse ``2026-05-03T00:00:00`` because it has no zone; pydantic takes
it. So the formats that pydantic knows are pydantic's validators here, and one sentence with an
example goes with each.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from pydantic_core import to_json

if TYPE_CHECKING:
    from pydantic import TypeAdapter

__all__ = ["CHECKS", "Format", "describe_format"]


class Format(NamedTuple):
    """A format in words, with a value that fits."""

    words: str
    example: str


_FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "date-time": Format("ISO 8601 date-time", "2026-05-03T00:00:00"),
        "date": Format("ISO 8601 date", "2026-05-03"),
        "time": Format("ISO 8601 time", "14:30:00"),
        "duration": Format("ISO 8601 duration", "P1DT2H"),
        "uuid": Format("UUID", "1b4e28ba-2fa1-41d2-883f-0016d3cca427"),
        "uuid1": Format("UUID version 1", "1b4e28ba-2fa1-11d2-883f-0016d3cca427"),
        "uuid3": Format("UUID version 3", "6fa459ea-ee8a-3ca4-894e-db77e160355e"),
        "uuid4": Format("UUID version 4", "16fd2706-8baf-433b-82eb-8c7fada847da"),
        "uuid5": Format("UUID version 5", "886313e1-3b8a-5372-9b90-0c9aee199e5d"),
        "email": Format("email address", "name@example.com"),
        "idn-email": Format("email address", "name@example.com"),
        "name-email": Format("name and email address", "Ann Lee <ann@example.com>"),
        "uri": Format("URI", "https://example.com/page"),
        "iri": Format("URI", "https://example.com/page"),
        "uri-reference": Format("URI reference", "/page?id=1"),
        "iri-reference": Format("URI reference", "/page?id=1"),
        "uri-template": Format("URI template", "/orders/{id}"),
        "multi-host-uri": Format("connection URI", "postgresql://host:5432/db"),
        "hostname": Format("host name", "www.example.com"),
        "idn-hostname": Format("host name", "www.example.com"),
        "ipv4": Format("IPv4 address", "192.0.2.1"),
        "ipv6": Format("IPv6 address", "2001:db8::1"),
        "ipvanyaddress": Format("IP address", "192.0.2.1"),
        "ipv4network": Format("IPv4 network", "192.0.2.0/24"),
        "ipv6network": Format("IPv6 network", "2001:db8::/32"),
        "ipvanynetwork": Format("IP network", "192.0.2.0/24"),
        "ipv4interface": Format("IPv4 interface", "192.0.2.1/24"),
        "ipv6interface": Format("IPv6 interface", "2001:db8::1/32"),
        "ipvanyinterface": Format("IP interface", "192.0.2.1/24"),
        "json-pointer": Format("JSON Pointer", "/items/0"),
        "relative-json-pointer": Format("relative JSON Pointer", "1/items"),
        "regex": Format("regular expression", "^[a-z]+$"),
        "json-string": Format("JSON in a string", '{"a": 1}'),
        "base64url": Format("base64url text", "aGVsbG8="),
        "binary": Format("text", "abc"),
        "password": Format("string", "text"),
        "file-path": Format("path of an existing file", "notes.txt"),
        "directory-path": Format("path of an existing folder", "notes"),
    }
)

_EMAIL = re.compile(r"(?:[^<>]*<)?[^@\s<>]+@[^@\s<>.]+(?:\.[^@\s<>.]+)*>?")


def describe_format(name: str) -> Format | None:
    """Words and an example for a format; None for one that nobody knows."""
    return _FORMATS.get(name)


@cache
def _check(name: str) -> Callable[..., object]:
    """Pydantic's validator of a type, built when a schema first needs it."""
    import pydantic

    module, _, short = name.rpartition(".")
    kind: Any = getattr(import_module(module) if module else pydantic, short)  # Any: a type
    if name == "Json":
        kind = Annotated[Any, pydantic.Json]
    adapter: TypeAdapter[Any] = pydantic.TypeAdapter(kind)  # Any: as above
    return adapter.validator.validate_json


def _by_type(kind: str) -> Callable[[str], bool]:
    """By the name of a type, one of pydantic's where it has no module."""

    def fits(text: str) -> bool:
        try:
            _check(kind)(to_json(text), strict=True)
        except Exception:  # pydantic's ValidationError, or UnicodeError for lone surrogates
            return False
        return True

    return fits


def _email(text: str) -> bool:
    return _EMAIL.fullmatch(text) is not None


CHECKS: Mapping[str, Callable[[str], bool]] = MappingProxyType(
    {
        "date-time": _by_type("datetime.datetime"),
        "date": _by_type("datetime.date"),
        "time": _by_type("datetime.time"),
        "duration": _by_type("datetime.timedelta"),
        "uuid": _by_type("uuid.UUID"),
        "uuid1": _by_type("UUID1"),
        "uuid3": _by_type("UUID3"),
        "uuid4": _by_type("UUID4"),
        "uuid5": _by_type("UUID5"),
        "uri": _by_type("AnyUrl"),
        "ipv4": _by_type("ipaddress.IPv4Address"),
        "ipv6": _by_type("ipaddress.IPv6Address"),
        "ipv4network": _by_type("ipaddress.IPv4Network"),
        "ipv6network": _by_type("ipaddress.IPv6Network"),
        "ipv4interface": _by_type("ipaddress.IPv4Interface"),
        "ipv6interface": _by_type("ipaddress.IPv6Interface"),
        "json-string": _by_type("Json"),
        "email": _email,
        "idn-email": _email,
    }
)
"""Checks to give to jsonschema-rs; formats without one keep its own check, or none."""
