"""A whole extension that breaks no rule, and how to break one of them."""

import importlib
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from handrail.cli.load import load_extension
from handrail.sdk.collecting import collecting
from handrail.sdk.manifest import MANIFEST_NAME, manifest_text
from handrail.sdk.rules.app import App
from handrail.sdk.rules.table import AuthorIssue, validate

ICON = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>\n'

GOOD = '''\
"""Shelves of books."""

from pydantic import BaseModel, Field

from handrail import Extension
from handrail.chat import ActionResult, ChatExtension, NoParams

ext = Extension(
    "book-shelf",
    version="1.2.0",
    display_name="Book shelf",
    description="Keeps a list of books on shelves, and finds them again.",
    icon="icon.svg",
    capabilities=["books"],
)
chat = ChatExtension(ext, tool_name="shelf", description="Books and shelves")


class BookId(BaseModel):
    """Which book."""

    book_id: str = Field(description="Id of the book")


class Book(BaseModel):
    """A book."""

    title: str = Field(description="Title of the book")
    pages: int = Field(1, ge=1, description="Number of pages")


@chat.function("list_books", description="List every book of the shelf.", action_type="read")
async def list_books(ctx, params: NoParams) -> ActionResult:
    """Give all books."""
    found = await ctx.store.query("books")
    return ActionResult.success({"books": [one.data for one in found.data]}, "Here they are.")


@chat.function(
    "add_book",
    description="Put a book on the shelf.",
    action_type="write",
    effects=["create:book"],
    event="added",
)
async def add_book(ctx, params: Book) -> ActionResult:
    """Store a book."""
    if not params.title.strip():
        return ActionResult.error("A book needs a title.", code="NO_TITLE")
    doc = await ctx.store.create("books", params.model_dump())
    return ActionResult.success({"book_id": doc.id}, "Added.")


@chat.function(
    "drop_book",
    description="Remove a book for good.",
    action_type="destructive",
    effects=["delete:book"],
    event="dropped",
    id_projection="book_id",
)
async def drop_book(ctx, params: BookId) -> ActionResult:
    """Remove a book."""
    await ctx.store.delete("books", params.book_id)
    return ActionResult.success({"book_id": params.book_id}, "Gone.")


@ext.tool("count_books", scopes=["books"], description="Count the books of the shelf.")
async def count_books(ctx, params: NoParams) -> ActionResult:
    """Count."""
    return ActionResult.success({"count": await ctx.store.count("books")})


@ext.skeleton("recent_books", ttl=60)
async def recent_books(ctx):
    """What was added last."""
    return {"known": await ctx.skeleton.get("recent_books")}


@ext.health_check
async def healthy(ctx) -> ActionResult:
    """It works."""
    return ActionResult.success()
'''


def edited(*edits: tuple[str, str], source: str = GOOD) -> str:
    """The source with texts in place of others, each of which must be there."""
    for old, new in edits:
        assert old in source, old
        source = source.replace(old, new)
    return source


def written(folder: Path, source: str, files: Mapping[str, str] | None = None) -> Path:
    """The extension on disk, with an icon."""
    (folder / "icon.svg").write_text(ICON)
    for name, text in (files or {}).items():
        (folder / name).write_text(text)
    path = folder / "shelf_app.py"
    path.write_text(source)
    return path


@contextmanager
def forgetting(folder: Path) -> Iterator[None]:
    """Modules of a folder that are imported within it are forgotten after it."""
    importlib.invalidate_caches()
    try:
        yield
    finally:
        for name, module in list(sys.modules.items()):
            if str(getattr(module, "__file__", None) or "").startswith(str(folder)):
                del sys.modules[name]


def loaded(folder: Path, source: str = GOOD, files: Mapping[str, str] | None = None) -> App:
    """The extension as `handrail validate` sees it, with its manifest as it should be."""
    path = written(folder, source, files)
    with forgetting(folder), collecting() as refusals, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        app = App(load_extension(str(path)), tuple(refusals))
    (folder / MANIFEST_NAME).write_text(manifest_text(app.ext), encoding="utf-8")
    return app


def found(folder: Path, *edits: tuple[str, str], strict: bool = False) -> list[AuthorIssue]:
    """What the rules find in the edited extension."""
    return validate(loaded(folder, edited(*edits)), strict=strict)


def rules_of(issues: list[AuthorIssue]) -> list[str]:
    """Numbers of the rules, without repeats."""
    return list(dict.fromkeys(one.rule for one in issues))
