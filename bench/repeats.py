"""Replays recorded calls, and asks of every call that is refused whether it went round.

    python bench/repeats.py FOLDER > bench/results/repeats.md

FOLDER holds ``*.calls.jsonl`` and ``schemas.jsonl``. Every call of a conversation is made again,
in its messages, with a handler that gives the recorded result, so what a refusal keeps from the
model is known. The recordings do not say which tools change something: `terms_by_name` guesses it
from their names. Nothing of the recordings but names, counts and shapes is printed.
"""

import json
import re
import sys
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from handrail import Context, Status, Tool, Toolbox, ToolCall, ToolResult
from handrail.errors import ContractError
from handrail.replay.action_names import terms_by_name
from handrail.runtime.turn import Turn

JsonObject = dict[str, Any]  # Any: JSON values


@dataclass
class Past:
    """What is known of earlier calls with the same tool and arguments.

    Attributes:
        results: Recorded results since the last change of state, as text and failure flag.
        changes: State-changing successes when it was last made.
    """

    results: list[tuple[object, object]]
    changes: int


@dataclass
class Refusal:
    """A call that the replay refused.

    Attributes:
        row: The recorded call.
        result: What the model would have read.
        why: What the recording says against it; empty if it truly repeats.
    """

    row: JsonObject
    result: ToolResult
    why: str


class Replay:
    """One way of declaring the recorded tools, over all conversations.

    Args:
        schemas: JSON Schemas by reference.
        declared: Whether toggles and polled reads are declared as such.
        per_user: Whether each message of the user begins a turn, as it should; else all calls of
            a conversation are one turn.
    """

    def __init__(self, schemas: Mapping[str, JsonObject], declared: bool, per_user: bool) -> None:
        self.declared = declared
        self.per_user = per_user
        self.counts: Counter[str] = Counter()
        self.refusals: list[Refusal] = []
        self._schemas = schemas
        self._tools: dict[tuple[str, str], Tool] = {}
        self._now: dict[str, JsonObject] = {}

    def conversation(self, rows: Sequence[JsonObject]) -> None:
        """Make the calls of one conversation again."""
        box = Toolbox(self._toolbox(rows), clock=Standing())
        past: dict[tuple[str, str], Past] = {}
        changes, turn_number, expected = 0, 1, None
        for number, group in groupby(rows, key=lambda row: row["turn"]):
            calls = list(group)
            if self.per_user and expected is not None and number > expected:
                turn_number += 1
            expected = number + 1 + len(calls)
            turn = box.turn(f"conversation:{turn_number}")
            for row, result in zip(calls, self._made(turn, calls), strict=True):
                changes += self._noted(row, result, past, changes)

    def _made(self, turn: Turn, rows: Sequence[JsonObject]) -> Sequence[ToolResult]:
        """The results of one message."""
        self._now = {f"{row['turn']}-{row['idx']}": row for row in rows}
        calls = [
            ToolCall(id, _name(row["tool"]), row.get("args_raw") or "{}")
            for id, row in self._now.items()
        ]
        return turn.take_sync(calls).results

    def _noted(
        self,
        row: JsonObject,
        result: ToolResult,
        past: dict[tuple[str, str], Past],
        changes: int,
    ) -> int:
        """Count one call; 1 if it changed the state."""
        self.counts["calls"] += 1
        given = (row["result"], row["error"])
        key = (row["tool"], _canonical(row.get("args_raw")))
        before = past.get(key)
        again = before is not None
        fresh = before is None or before.changes != changes or before.results[-1] != given
        self.counts["made before"] += again
        self.counts["true repeats"] += again and not fresh
        if result.error_class == "budget_spent":
            self.refusals.append(Refusal(row, result, self._against(row, before, changes)))
            self.counts["refused"] += 1
            self.counts["true repeats refused"] += again and not fresh
        elif any(issue.code == "BUD-003" for issue in result.issues):
            self.counts["noted"] += 1
            self.counts["noted with new arguments"] += not again
        if fresh or before is None:
            past[key] = Past([given], changes)
        else:
            before.results.append(given)
        if _writes(row) and result.status is Status.OK and not row["error"]:
            past[key].changes = changes + 1
            return 1
        return 0

    def _against(self, row: JsonObject, before: Past | None, changes: int) -> str:
        """What speaks against a refusal, from the recording."""
        if before is None:
            return "new arguments"
        if before.results[-1] != (row["result"], row["error"]):
            return "another result than before"
        if before.changes != changes:
            return "a state change in between"
        terms = terms_by_name(row["tool"])
        if terms.get("repeatable"):
            return "made to be repeated (toggle, reboot)"
        if terms.get("poll"):
            return "polling: somebody else may change what it reads"
        return ""

    def _toolbox(self, rows: Iterable[JsonObject]) -> list[Tool]:
        tools: dict[str, Tool] = {}
        for row in rows:
            reference = row["schema"]
            if reference is None or row["tool"] in tools:
                continue
            known = (reference, row["tool"])
            if known not in self._tools:
                self._tools[known] = self._declare(row, self._schemas[reference])
            tools[row["tool"]] = self._tools[known]
        return list(tools.values())

    def _declare(self, row: JsonObject, schema: JsonObject) -> Tool:
        name = _name(row["tool"])
        terms: JsonObject = dict(terms_by_name(row["tool"]))
        if not self.declared:
            terms = {"action_type": terms.get("action_type", "read")}
        about = schema.get("description") or name
        parameters = schema.get("parameters") or {"type": "object"}
        try:
            return Tool.from_json_schema(name, about, parameters, self._recorded, **terms)
        except ContractError:
            return Tool.from_json_schema(name, about, {"type": "object"}, self._recorded, **terms)

    def _recorded(self, ctx: Context, **arguments: object) -> object:
        """The recorded result of the call that is being made."""
        row = self._now[ctx.call_id]
        if row["error"]:
            raise RuntimeError("the recorded tool failed")
        try:
            return json.loads(row["result"])
        except (TypeError, ValueError):
            return row["result"]


class Standing:
    """A clock at which every wait is over at once."""

    def __call__(self) -> float:
        return 0.0

    def sleep(self, seconds: float) -> None:
        """No time passes."""


def _writes(row: JsonObject) -> bool:
    return terms_by_name(row["tool"]).get("action_type", "read") != "read"


def _name(tool: str) -> str:
    """A recorded name as the contract takes names."""
    plain = re.sub(r"[^A-Za-z0-9_-]", "_", tool)[:64]
    return plain if re.match(r"[A-Za-z_]", plain) else f"_{plain}"[:64]


def _canonical(text: str | None) -> str:
    try:
        return json.dumps(json.loads(text or "{}"), sort_keys=True)
    except ValueError:
        return text or ""


def conversations(folder: Path) -> Iterator[list[JsonObject]]:
    """The calls of each conversation, in order."""
    found: dict[tuple[str, ...], list[JsonObject]] = {}
    for path in sorted(folder.glob("*.calls.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            place = tuple(str(row[key]) for key in ("source", "model", "domain", "task", "conv"))
            found.setdefault(place, []).append(row)
    for rows in found.values():
        yield sorted(rows, key=lambda row: (row["turn"], row["idx"]))


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table."""
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join([*lines, *("| " + " | ".join(map(str, row)) + " |" for row in rows)]) + "\n"


COUNTED = [
    *("calls", "made before", "true repeats", "refused", "true repeats refused"),
    *("noted", "noted with new arguments"),
]


def report(replays: Mapping[str, Replay]) -> str:
    """The page."""
    said = [
        "# Refused repeats in recorded conversations",
        "",
        "Written by `bench/repeats.py`: recorded calls are made again under the policy `balanced`, "
        "with handlers that give the recorded results. A *true repeat* has the arguments and the "
        "result of the call before it, and nothing was changed in between. The budget allows three "
        "identical reads and one write, so the second and third of a kind run. *Arguable* is every "
        "refusal of a call that is no true repeat, or of a tool that is polled or toggled by its "
        "name. *Noted* are results with a note behind them that calls go round. Reads, writes, "
        "polled and toggling tools are told apart by their names alone. A message of the user "
        "begins a turn and excuses one call of each; with one turn for all that is taken away, "
        "which no host should do. A refused call counts as recorded for what follows.",
        "",
        table(
            ["contract and turns", *COUNTED, "arguable"],
            [
                [
                    name,
                    *(one.counts[key] for key in COUNTED),
                    sum(bool(r.why) for r in one.refusals),
                ]
                for name, one in replays.items()
            ],
        ),
    ]
    for name, one in replays.items():
        said += [f"## {name}", "", _refusals(one.refusals)]
    return "\n".join(said)


def _refusals(refusals: Sequence[Refusal]) -> str:
    shapes = Counter(
        (
            one.why or "true repeat",
            one.row["source"],
            one.row["model"].split(" (")[0],
            one.row["tool"],
            f"{one.result.code} {one.result.status.value}",
            "failed" if one.row["error"] else _shape(one.row["result"]),
        )
        for one in refusals
    )
    head = ["", "source", "model", "tool", "refused as", "recorded result", "times"]
    rows = sorted(shapes.items(), key=lambda item: (item[0][0] == "true repeat", item[0]))
    return table(head, [(*shape, times) for shape, times in rows])


def _shape(result: object) -> str:
    try:
        value = json.loads(result) if isinstance(result, str) else result
    except ValueError:
        value = result
    if value in ([], {}, "", None):
        return "empty"
    return {dict: "object", list: "list", str: "text"}.get(type(value), type(value).__name__)


def main(folder: str) -> None:
    """Print the page."""
    warnings.simplefilter("ignore")
    path = Path(folder)
    lines = (path / "schemas.jsonl").read_text(encoding="utf-8").splitlines()
    schemas = {row["ref"]: row for row in map(json.loads, lines)}
    replays = {
        "declared, a turn for each message of the user": Replay(schemas, True, True),
        "declared, one turn for all": Replay(schemas, True, False),
        "not declared, a turn for each message of the user": Replay(schemas, False, True),
        "not declared, one turn for all": Replay(schemas, False, False),
    }
    for rows in conversations(path):
        for replay in replays.values():
            replay.conversation(rows)
    print(report(replays))


if __name__ == "__main__":
    import logging

    logging.disable(logging.CRITICAL)
    main(*sys.argv[1:2])
