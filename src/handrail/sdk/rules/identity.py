"""Rules about the app itself."""

import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from handrail.sdk.manifest import MANIFEST_NAME, manifest_text
from handrail.sdk.rules.app import App, Found

__all__ = [
    "SYSTEM_AUTHORS",
    "app_id",
    "description",
    "display_name",
    "has_tools",
    "health_check",
    "manifest",
    "qualified_names",
    "skeleton_names",
    "system_author",
    "tool_entries",
    "version",
]

SYSTEM_AUTHORS = "HANDRAIL_SYSTEM_AUTHORS"
"""Environment variable: names or addresses, with commas between them."""

_SLUG = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*\Z")
_SECTION = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*\Z")
_CHAT_ENTRY = re.compile(r"tool_.*_chat\Z")
_NUMBER = r"(?:0|[1-9]\d*)"
_LABEL = r"(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)"
_SEMVER = re.compile(
    rf"{_NUMBER}\.{_NUMBER}\.{_NUMBER}(?:-{_LABEL}(?:\.{_LABEL})*)?"
    r"(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?\Z"
)
"""Semantic Versioning 2.0.0, section "Is there a suggested regular expression"."""

_MOST_NAME = 64
_LEAST_DESCRIPTION = 40


def app_id(app: App) -> Iterator[Found]:
    """V1: the app's id is a slug."""
    if not _SLUG.match(app.ext.app_id):
        told = f"app_id {app.ext.app_id!r} is not lower-case letters, digits and single hyphens"
        yield Found(told, app.place)


def version(app: App) -> Iterator[Found]:
    """V2: the whole version is a semantic one."""
    if not _SEMVER.match(app.ext.version):
        yield Found(f"version {app.ext.version!r} is no semantic version", app.place)


def has_tools(app: App) -> Iterator[Found]:
    """V3: there is something to call."""
    if not app.callables and not app.refusals:
        yield Found(f"{app.ext.app_id} declares no function and no tool", app.place)


def manifest(app: App) -> Iterator[Found]:
    """V8: the manifest stands beside the app and says what the app declares."""
    if app.refusals:
        return
    path = app.folder / MANIFEST_NAME
    if not path.is_file():
        yield Found(f"there is no {MANIFEST_NAME} beside the app", app.place)
    elif path.read_bytes() != manifest_text(app.ext).encode("utf-8"):
        yield Found(f"{MANIFEST_NAME} does not say what the app declares", app.place)


def health_check(app: App) -> Iterator[Found]:
    """V9: the app says whether it works."""
    if app.ext.health is None:
        yield Found(f"{app.ext.app_id} has no health check", app.place)


def skeleton_names(app: App) -> Iterator[Found]:
    """V13: sections are named in snake_case."""
    for section in app.ext.sections:
        if not _SECTION.match(section.section):
            told = f"skeleton section {section.section!r} is not in snake_case"
            yield Found(told, section.place)


def description(app: App) -> Iterator[Found]:
    """V14: the app's description says something."""
    length = len(app.ext.description.strip())
    if length < _LEAST_DESCRIPTION:
        least = _LEAST_DESCRIPTION
        told = f"the app's description has {length} characters, at least {least} are needed"
        yield Found(told, app.place)


def display_name(app: App) -> Iterator[Found]:
    """V15: the app has a name for users."""
    if not app.ext.display_name.strip():
        yield Found(f"{app.ext.app_id} has no display_name", app.place)


def tool_entries(app: App) -> Iterator[Found]:
    """V25: nothing is named like the chat entries of old manifests."""
    named = [(chat.tool_name, chat.place) for chat in app.ext.chats]
    named += [(one.name, one.place) for one in app.callables]
    for name, place in named:
        if _CHAT_ENTRY.match(name):
            yield Found(f"{name!r} is named like a chat entry (tool_..._chat)", place)


def system_author(app: App) -> Iterator[Found]:
    """V31: an app of the host is written by somebody who may."""
    if not app.ext.system:
        return
    stated = os.environ.get(SYSTEM_AUTHORS, "").split(",")
    allowed = {name.strip().lower() for name in (*app.system_authors, *stated) if name.strip()}
    authors = _authors(app.folder)
    if not allowed & authors:
        who = ", ".join(sorted(authors)) or "no author named in pyproject.toml"
        yield Found(f"system=True is not allowed for {who}", app.place)


def qualified_names(app: App) -> Iterator[Found]:
    """V33: the name with the app's id before it is short enough for every provider."""
    for function in app.callables:
        full = f"{app.ext.app_id}__{function.name}"
        if len(full) > _MOST_NAME:
            told = f"{full!r} has {len(full)} characters, providers take {_MOST_NAME}"
            yield Found(told, function.place)


def _authors(folder: Path) -> set[str]:
    """Names and addresses of the authors in the nearest ``pyproject.toml``, in lower case."""
    for place in (folder, *folder.parents):
        path = place / "pyproject.toml"
        if path.is_file():
            try:
                listed = (
                    tomllib.loads(path.read_text("utf-8")).get("project", {}).get("authors", [])
                )
                stated = [one.get(key, "") for one in listed for key in ("name", "email")]
            except (OSError, ValueError, AttributeError):
                return set()
            return {str(one).strip().lower() for one in stated if one}
    return set()
