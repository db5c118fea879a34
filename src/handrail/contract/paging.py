"""Whether a result is everything, and the exact arguments of its next page where it is not.

Read are the fields that paged interfaces have: a cursor, a link, a number of the next page, a
flag, a total. Names are compared without case and separators. The next arguments are those of the
call with what the next page needs put in, and they are given only if the tool would take them: a
model follows exact arguments to the letter. Source: seed 001; the page of results, section 1;
RFC 8288 for links.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from handrail.contract.facts import at_pointer
from handrail.contract.reading import Engine, Rejected

__all__ = ["More", "Paged", "more_of", "next_arguments", "rows_of", "speaks_of_pages"]


class Paged(NamedTuple):
    """What is needed of a tool to ask it for more.

    Attributes:
        engine: Judges its arguments.
        pages: Its own word on how the next page is asked for, where it has one.
    """

    engine: Engine
    pages: Mapping[str, str] | None = None


class More(NamedTuple):
    """What is said about the rows that are not there.

    Attributes:
        cursor: What the next page is asked for with, where that is a word of the tool's.
        named: Name of the field that held the cursor.
        link: URL of the next page.
        page: Number of this page, where it is told.
        next_page: Number of the next page, where it is told.
        offset: Rows before this page, where that is told.
        next_offset: Rows before the next page, where that is told.
        size: Rows of a page, where that is told.
        total: Rows in all, where that is told.
        shown: Rows of this page, where they are found.
        paged: Whether there is a next page; else the rows are only incomplete.
    """

    cursor: str | int | None = None
    named: str = ""
    link: str | None = None
    page: int | None = None
    next_page: int | None = None
    offset: int | None = None
    next_offset: int | None = None
    size: int | None = None
    total: int | None = None
    shown: int | None = None
    paged: bool = True


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_MORE = _names("hasmore hasnext hasnextpage more morepages moreavailable moreresults")
_CUT = _names("truncated istruncated incomplete isincomplete incompleteresults partial ispartial")
_CURSORS = _names(
    "nextcursor nextpagetoken nexttoken nextpagecursor nextmarker nextcontinuationtoken "
    "continuationtoken endcursor"
)
_NEXT = _names("next nexturl nextlink nextpageurl odatanextlink")
_NEXT_PAGE = _names("nextpage nextpagenumber")
_NEXT_OFFSET = _names("nextoffset nextstart nextskip")
_PAGE = _names("page pagenumber pageno currentpage pageindex")
_OFFSET = _names("offset skip start startindex startat")
_SIZE = _names("limit perpage pagesize pagelimit maxresults")
_PAGES = _names("totalpages pagecount lastpage numpages pages")
_TOTALS = _names("totalcount totalresults totalitems totalrows totalhits numresults of")
_LOOSE_TOTALS = _names("total count numfound")
"""Totals only beside another word about pages: a bill has a total too."""

_ENVELOPES = _names(
    "meta metadata pagination paging pageinfo page links responsemetadata cursor cursors paginator"
)
_OPENED = _ENVELOPES | _NEXT
_SIGNS = _MORE | _CUT | _CURSORS | _NEXT | _NEXT_PAGE | _NEXT_OFFSET | _PAGES | _TOTALS
_BESIDE_TOTALS = _PAGE | _OFFSET | _SIZE | _PAGES | _MORE | _CUT | _names("shown returned showing")
_SPEAKING = (
    _MORE | _CUT | _CURSORS | _NEXT | _NEXT_PAGE | _NEXT_OFFSET | _TOTALS | _LOOSE_TOTALS | _PAGES
) | _ENVELOPES
"""Bare names without one of which an object says nothing about pages."""
_ROWS = _names("items results data rows records entries hits values list edges nodes")

_SEPARATORS = re.compile(r"[^A-Za-z0-9]+")
_LINK = re.compile(r'<([^<>]{1,2000})>[^,<]{0,500}?;\s*rel="?next"?', re.IGNORECASE)


@lru_cache(maxsize=4096)
def _bare(name: str) -> str:
    return _SEPARATORS.sub("", name).lower()


def speaks_of_pages(name: str) -> bool:
    """Whether a field of this name may say something about pages."""
    return _bare(name) in _SPEAKING


def rows_of(value: Any) -> list[Any] | None:  # Any: JSON values
    """The rows of a result: the list itself, or the one list that an object has; None else."""
    if isinstance(value, list):
        return value
    if not isinstance(value, Mapping):
        return None
    lists = {name: item for name, item in value.items() if isinstance(item, list)}
    if len(lists) == 1:
        return next(iter(lists.values()))
    usual = [item for name, item in lists.items() if _bare(str(name)) in _ROWS]
    if usual:
        return usual[0]
    if not lists:
        inner = [item for item in value.values() if isinstance(item, Mapping)]
        found = [rows for item in inner if (rows := rows_of(item)) is not None]
        return found[0] if len(found) == 1 else None
    return None


def more_of(
    value: Any,  # Any: JSON value
    paged: Paged,
    arguments: Mapping[str, Any],  # Any: JSON values
    headers: Mapping[str, str],
    cursor: str | None = None,
) -> More | None:
    """What a result says of rows that it does not hold; None where it says nothing of the kind.

    Args:
        value: The result.
        paged: How its tool is asked for more.
        arguments: Those of the call.
        headers: Of the response that it came as; names in lower case.
        cursor: The next page, where the envelope of the result names it.
    """
    rows = rows_of(value)
    shown = None if rows is None else len(rows)
    declared = _declared(value, paged.pages)
    if declared is not None:
        return declared._replace(shown=shown)
    told = _told(value)
    if cursor is None and not headers and not _speak(told):
        return None
    link = _LINK.search(headers.get("link", ""))
    found = _read(told, shown)
    if cursor is not None:
        return found._replace(cursor=cursor, named="cursor")
    if link is not None:
        return found._replace(link=link[1])
    if not _is_more(found, told, arguments):
        return None
    stated = (found.cursor, found.link, found.next_page, found.next_offset)
    turns = _flag(told, _MORE) or any(one is not None for one in stated)
    return found._replace(paged=turns or _number(told, _PAGES) is not None)


def _declared(value: Any, pages: Mapping[str, str] | None) -> More | None:  # Any: JSON value
    """What stands where the contract says that the next page stands."""
    if not pages:
        return None
    stated = at_pointer(value, pages.get("cursor", ""))
    if isinstance(stated, str | int) and not isinstance(stated, bool) and stated != "":
        return More(cursor=stated, named=pages["cursor"].rsplit("/", 1)[-1])
    return None


def _told(value: Any) -> dict[str, Any]:  # Any: JSON values
    """Fields about pages by their bare names, of a result and of its envelopes."""
    told: dict[str, Any] = {}  # Any: JSON values
    for name, item in _pairs(value, 2):
        told.setdefault(_bare(name), item)
    return told


def _pairs(value: Any, depth: int) -> Iterator[tuple[str, Any]]:  # Any: JSON values
    if not isinstance(value, Mapping):
        return
    for name, item in value.items():
        if not isinstance(name, str):
            continue
        if isinstance(item, Mapping) and depth and _bare(name) in _OPENED:
            yield from _pairs(item, depth - 1)
            if _bare(name) == "next" and isinstance(item.get("href"), str):
                yield name, item["href"]
        else:
            yield name, item


def _speak(told: Mapping[str, Any]) -> bool:  # Any: JSON values
    """Whether the fields there are can add up to more rows."""
    if not _SIGNS.isdisjoint(told):
        return True
    return not (_LOOSE_TOTALS.isdisjoint(told) or _BESIDE_TOTALS.isdisjoint(told))


def _read(told: Mapping[str, Any], shown: int | None) -> More:  # Any: JSON values
    cursor, named = _cursor(told)
    after = next((told[name] for name in _NEXT if name in told), None)
    link = after if isinstance(after, str) and "/" in after else None
    if cursor is None and after is not None and link is None:
        cursor, named = _cursor({"nextcursor": after})
        named = "cursor" if named else ""
    return More(
        cursor=cursor,
        named=named,
        link=link,
        page=_number(told, _PAGE),
        next_page=_number(told, _NEXT_PAGE),
        offset=_number(told, _OFFSET),
        next_offset=_number(told, _NEXT_OFFSET),
        size=_number(told, _SIZE),
        total=_total(told, shown),
        shown=shown,
    )


def _cursor(told: Mapping[str, Any]) -> tuple[str | int | None, str]:  # Any: JSON values
    for name in told:
        item = told[name]
        usable = isinstance(item, str | int) and not isinstance(item, bool) and item not in ("", 0)
        if name in _CURSORS and usable:
            if name == "endcursor" and not _flag(told, _MORE):
                continue
            return item, name
    return None, ""


def _total(told: Mapping[str, Any], shown: int | None) -> int | None:  # Any: JSON values
    sure = _number(told, _TOTALS)
    if sure is not None:
        return sure
    if not _BESIDE_TOTALS.isdisjoint(told):
        return _number(told, _LOOSE_TOTALS)
    return None


def _number(told: Mapping[str, Any], names: frozenset[str]) -> int | None:  # Any: JSON values
    for name, item in told.items():
        if name in names and isinstance(item, int) and not isinstance(item, bool) and item >= 0:
            return item
    return None


def _flag(told: Mapping[str, Any], names: frozenset[str]) -> bool:  # Any: JSON values
    return any(told.get(name) is True for name in names)


def _denied(told: Mapping[str, Any]) -> bool:  # Any: JSON values
    return any(told.get(name) is False for name in _MORE)


def _is_more(found: More, told: Mapping[str, Any], arguments: Mapping[str, Any]) -> bool:
    # Any: JSON values
    """Whether there is more: a flag decides, then a next page, then the numbers."""
    if _flag(told, _MORE) or _flag(told, _CUT):
        return True
    if _denied(told):
        return False
    if found.cursor is not None or found.link is not None:
        return True
    if found.next_page is not None and (found.page is None or found.next_page > found.page):
        return True
    if found.next_offset is not None and found.next_offset > (found.offset or 0):
        return found.total is None or found.next_offset < found.total
    pages = _number(told, _PAGES)
    if found.page is not None and pages is not None:
        return found.page < pages
    if found.total is None or found.shown is None:
        return False
    return _before(found, arguments) + found.shown < found.total


def _before(found: More, arguments: Mapping[str, Any]) -> int:  # Any: JSON values
    """Rows on the pages before this one, as far as result and arguments tell."""
    asked = {_bare(name): item for name, item in arguments.items()}
    offset = found.offset if found.offset is not None else _number(asked, _OFFSET)
    if offset is not None:
        return offset
    page = found.page if found.page is not None else _number(asked, _PAGE)
    size = found.size if found.size is not None else _number(asked, _SIZE)
    if page is not None and page > 1:
        return (page - 1) * (size or found.shown or 0)
    return 0


# ---- the next arguments

_CURSOR_ARGUMENTS = (
    *("cursor", "pagetoken", "nexttoken", "continuationtoken", "token", "after"),
    *("startingafter", "marker", "nextcursor", "nextpagetoken", "pagecursor"),
)
_PAGE_ARGUMENTS = ("page", "pagenumber", "pageno", "pageindex", "p")
_OFFSET_ARGUMENTS = ("offset", "skip", "start", "startindex", "startat")
_SIZE_ARGUMENTS = ("limit", "perpage", "pagesize", "maxresults", "size", "count", "top")


def next_arguments(
    more: More,
    paged: Paged,
    arguments: Mapping[str, Any],  # Any: JSON values
) -> dict[str, Any] | None:  # Any: JSON values
    """The arguments that get the next rows; None where no certain ones are known."""
    fields = paged.engine.schema.get("properties", {})
    own = {_bare(name): name for name in fields}
    changes = _changes(more, paged, arguments, own)
    if not changes:
        return None
    changed = {
        **arguments,
        **{name: _typed(item, fields.get(name)) for name, item in changes.items()},
    }
    if changed == arguments:
        return None
    try:
        paged.engine.accept(json.dumps(changed))
    except (Rejected, TypeError, ValueError):
        return None
    return changed


def _changes(
    more: More, paged: Paged, arguments: Mapping[str, Any], own: Mapping[str, str]
) -> dict[str, Any]:  # Any: JSON values
    """What must change, by the first way of asking that the tool has an argument for."""
    if more.cursor is not None:
        named = (paged.pages or {}).get("argument")
        wanted = (named,) if named else (more.named.removeprefix("next"), *_CURSOR_ARGUMENTS)
        name = named or next((own[one] for one in wanted if one in own), None)
        if name:
            return {name: more.cursor}
    if more.link is not None:
        found = _of_link(more.link, own)
        if found:
            return found
    page = _first(own, _PAGE_ARGUMENTS)
    if page and (more.paged or more.total is not None):
        return {page: _next_page(more, arguments, page, paged)}
    offset = _first(own, _OFFSET_ARGUMENTS)
    if offset and (more.next_offset is not None or more.shown):
        return {offset: _next_offset(more, arguments, offset)}
    size = _first(own, _SIZE_ARGUMENTS)
    if size and more.shown and (more.paged or more.total is not None):
        return _larger(more, arguments, size, paged)
    return {}


def _first(own: Mapping[str, str], wanted: tuple[str, ...]) -> str | None:
    return next((own[one] for one in wanted if one in own), None)


def _next_page(
    more: More, arguments: Mapping[str, Any], name: str, paged: Paged
) -> int:  # Any: JSON values
    if more.next_page is not None:
        return more.next_page
    if more.page is not None:
        return more.page + 1
    stated = paged.engine.schema.get("properties", {}).get(name, {})
    asked = arguments.get(name, stated.get("default") if isinstance(stated, Mapping) else None)
    return asked + 1 if isinstance(asked, int) else 2


def _next_offset(more: More, arguments: Mapping[str, Any], name: str) -> int:  # Any: JSON values
    if more.next_offset is not None:
        return more.next_offset
    asked = arguments.get(name)
    before = more.offset if more.offset is not None else asked if isinstance(asked, int) else 0
    return before + (more.shown or 0)


def _larger(
    more: More, arguments: Mapping[str, Any], name: str, paged: Paged
) -> dict[str, Any]:  # Any: JSON values
    """A larger page, where pages cannot be turned: all rows, or as many as the schema allows."""
    stated = paged.engine.schema.get("properties", {}).get(name, {})
    most = stated.get("maximum") if isinstance(stated, Mapping) else None
    wanted = more.total if more.total is not None else 2 * (more.shown or 1)
    larger = min(wanted, most) if isinstance(most, int) else wanted
    asked = arguments.get(name)
    grows = not isinstance(asked, int) or larger > asked
    return {name: larger} if grows and larger > (more.shown or 0) else {}


def _of_link(link: str, own: Mapping[str, str]) -> dict[str, Any]:  # Any: JSON values
    """The query of the next page's URL, as far as the tool has arguments of those names."""
    from urllib.parse import parse_qsl, urlsplit  # late: links are rare

    try:
        pairs = parse_qsl(urlsplit(link).query)
    except ValueError:
        return {}
    turns = {*_CURSOR_ARGUMENTS, *_PAGE_ARGUMENTS, *_OFFSET_ARGUMENTS}
    found = {own[_bare(name)]: item for name, item in pairs if _bare(name) in own}
    return found if any(_bare(name) in turns for name in found) else {}


def _typed(value: Any, schema: Any) -> Any:  # Any: JSON values
    """The text of a number as a number, where the argument is one; a number as text likewise."""
    stated = schema.get("type") if isinstance(schema, Mapping) else None
    if stated in ("integer", ["integer", "null"]) and isinstance(value, str) and value.isdecimal():
        return int(value)
    return str(value) if stated == "string" and type(value) is int else value
