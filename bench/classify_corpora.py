"""Classifies every recorded tool call that failed, and every one that did not.

    python bench/classify_corpora.py FOLDER > bench/results/classified-failures.md

FOLDER holds ``*.calls.jsonl`` and ``schemas.jsonl``. The classes that a person reads off the texts
stand in `BY_EYE`; they are what is compared with, and no part of the library: a live judge never
reads words in a text. What is judged is the result alone, by a contract that declares nothing.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from platform import python_version
from typing import Any

from handrail.contract.preview import word
from handrail.contract.tool import Tool
from handrail.replay.outcomes import judged_result

JsonObject = dict[str, Any]  # Any: JSON values

BY_EYE = (
    (r"Timeou|Timeout error", "transient", "retry_after"),
    (r"Rat", "transient", "retry_after"),
    (r"T$", "transient", "retry_after"),
    (r"R$", "", ""),
    (r"Una|Unauth", "tool_failed", "permission"),
    (r".*\bnot found$", "tool_failed", "not_found"),
    (r"New item \d+ not found or available", "tool_failed", "not_found"),
    (r"No such f|No $", "tool_failed", "not_found"),
    (r"", "tool_failed", "reported_error"),
)
"""How a text of the corpora begins -> class and code as a person reads it; empty where the source
cut it so short that nobody can tell. The first that fits counts."""

_OPENING = re.compile(r"""'?\{"error": "|Error: """)


@dataclass
class Found:
    """What came of the comparison."""

    failed: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    coarse: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    untold: int = 0
    fine: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    called_failures: list[str] = field(default_factory=list)
    told_errors: Counter[str] = field(default_factory=Counter)


def rows_of(folder: Path) -> Iterator[tuple[str, int, JsonObject]]:
    for path in sorted(folder.glob("*.calls.jsonl")):
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                yield path.name, number, json.loads(line)


def by_eye(text: str) -> tuple[str, str]:
    """Class and code as a person reads them."""
    said = _OPENING.sub("", text, count=1)
    said = re.sub(r'(\.\.\.)?"?(, ".*)?$', "", said)
    return next((kind, code) for start, kind, code in BY_EYE if re.match(start, said))


def is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def failure(found: Found, place: str, row: JsonObject, tool: Tool) -> None:
    """A call of which the log says that it failed."""
    output = judged_result(tool, row["result"], row["error"], None)
    assert output is not None
    kind, code = output.error_class or "ok", output.code or ""
    found.failed[row["source"], kind, code] += 1
    right, finer = by_eye(row["result"] or "")
    if not right:
        found.untold += 1
    elif right != kind:
        told = f"`{word(row['result'], 100)}`"
        found.wrong.append(f"| {place} | {told} | {kind} | {right} |")
    elif finer != code:
        found.coarse[row["source"], code, finer] += 1


def success(found: Found, place: str, row: JsonObject, tool: Tool) -> None:
    """A call of which the log says that it succeeded, or says nothing."""
    text = row["result"]
    if text is None:
        return
    output = judged_result(tool, text, None, None)
    assert output is not None
    form = "JSON" if is_json(text) else "plain text"
    said = "succeeded" if row["error"] is False else "not stated"
    found.fine[row["source"], form, said] += 1
    if output.is_error:
        told = f"`{word(text, 100)}`"
        found.called_failures.append(f"| {place} | {form} | {told} | {output.error_class} |")
    elif text.startswith("Error:"):
        found.told_errors[row["source"]] += 1


def compare(folder: Path) -> Found:
    """Every row of the corpora."""
    found = Found()
    schema = {"type": "object", "properties": {}}
    tool = Tool.from_json_schema("tool", "a recorded tool", schema)
    for file, line, row in rows_of(folder):
        judge = failure if row["error"] else success
        judge(found, f"{file}:{line}", row, tool)
    return found


# ---- the page


def table(head: tuple[str, ...], counts: Counter[Any]) -> list[str]:  # Any: tuples of names
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    return lines + [f"| {' | '.join(key)} | {calls:,} |" for key, calls in sorted(counts.items())]


def page(folder: Path) -> str:
    """The results, as Markdown."""
    found = compare(folder)
    failed, fine = found.failed.total(), found.fine.total()
    plain = sum(calls for (_, form, _), calls in found.fine.items() if form == "plain text")
    lines = [
        "# Recorded failures, classified",
        "",
        f"{datetime.now(UTC):%Y-%m-%d}, Python {python_version()}. Made by "
        "`bench/classify_corpora.py`. Judged is the result alone, with the mark of the log that "
        "the call failed, by a contract that declares nothing.",
        "",
        f"## Calls that failed: {failed:,}",
        "",
        *table(("source", "class", "code", "calls"), found.failed),
        "",
        "All of them are texts that a tool wrote for people (`Error: ...`), or JSON that the "
        "source cut after a few characters. No status, type of exception or field of an error "
        "was recorded, and words in a text are never read: so all a judge can know is that the "
        "tool reported a failure.",
        "",
        *by_a_person(found),
        "",
        f"## Calls that did not fail: {fine:,}",
        "",
        *table(("source", "form", "the log says", "calls"), found.fine),
        "",
        f"Plain texts among them: {plain:,}. Called a failure: {len(found.called_failures)}.",
    ]
    if found.called_failures:
        lines += ["", "| row | form | text | judged |", "|---|---|---|---|"]
        lines += found.called_failures
    if found.told_errors:
        each = ", ".join(f"{source} {calls}" for source, calls in sorted(found.told_errors.items()))
        lines += [
            "",
            "Texts among them that begin with `Error:` although the log says that the call "
            f"succeeded: {each}. They are results like any other here; a contract can say "
            "otherwise with `check_output`.",
        ]
    return "\n".join(lines)


def by_a_person(found: Found) -> list[str]:
    """Where the class or the code is another than a person would say."""
    wrong = ["| row | text | judged | by eye |", "|---|---|---|---|", *found.wrong]
    return [
        f"### Judged to be of the wrong class: {len(found.wrong)}",
        "",
        "Read by eye. A timeout and a rate limit are transient: the same call may be made again. "
        "From these texts that cannot be told without reading words; with the exception or the "
        "status it would be.",
        "",
        *(wrong if found.wrong else ["None."]),
        "",
        f"### Of the right class, where a person would know more: {found.coarse.total()}",
        "",
        *table(("source", "judged code", "by eye", "calls"), found.coarse),
        "",
        f"Of {found.untold} texts nobody can tell the class: the source left one letter.",
    ]


if __name__ == "__main__":
    print(page(Path(sys.argv[1])))
