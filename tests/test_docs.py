"""Every Python example of README and docs/ runs, and prints what the page says it prints."""

import ast
import asyncio
import contextlib
import inspect
import io
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def scripted_client() -> SimpleNamespace:
    """An object shaped like the OpenAI client: one tool call, then an answer."""
    function = {"name": "search_orders", "arguments": '{"customer_id": "C-9921"}'}
    calls = [{"id": "call_9", "type": "function", "function": function}]
    replies = iter(
        [
            {"role": "assistant", "content": None, "tool_calls": calls},
            {"role": "assistant", "content": "Two orders."},
        ]
    )

    def create(**request: object) -> dict[str, Any]:  # Any: a response, as JSON
        ended = "stop"
        return {"choices": [{"message": next(replies), "finish_reason": ended}]}

    return SimpleNamespace(chat=SimpleNamespace(completions=SimpleNamespace(create=create)))


def run(source: str, names: dict[str, Any], place: str) -> str:  # Any: what the page defines
    """Run one block, top-level await included; what it printed."""
    code = compile(source, place, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        if code.co_flags & inspect.CO_COROUTINE:
            names["__work__"] = eval(code, names)
            asyncio.run(names.pop("__work__"))
        else:
            exec(code, names)
    return printed.getvalue()


@pytest.fixture(autouse=True)
def _quiet_again() -> Iterator[None]:
    """Pages may turn logging on; the tests after them must not hear it."""
    loggers = [logging.getLogger(name) for name in ("", "handrail", "handrail.validation")]
    before = [(one, one.level, list(one.handlers), one.propagate) for one in loggers]
    yield
    for one, level, handlers, propagate in before:
        one.setLevel(level)
        one.handlers[:] = handlers
        one.propagate = propagate


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_examples_of_a_page_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Blocks of one page share their names; a text block after a Python block is its output."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"client": scripted_client(), "messages": [], "__name__": "docs"}
    printed: str | None = None
    for number, (language, body) in enumerate(FENCE.findall(page.read_text(encoding="utf-8"))):
        if language == "python":
            printed = run(body, names, f"{page.name}, block {number}")
        elif language == "text" and printed:
            assert body.strip() == printed.strip()
            printed = None


def test_every_link_between_pages_leads_somewhere() -> None:
    """Relative links of README and docs/ exist."""
    broken = [
        f"{page.name}: {target}"
        for page in PAGES
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]
    assert broken == []
