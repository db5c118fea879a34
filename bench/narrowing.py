"""Narrows recorded contracts on purpose, and checks that a replay finds exactly that.

    python bench/narrowing.py FOLDER > bench/results/replay-corpora.md

FOLDER holds ``*.calls.jsonl`` and ``schemas.jsonl``. Each kind of narrowing is made on every
contract and field where traffic allows it: at least 30 accepted calls, of which at least 1 % lie
outside of the narrowed contract. What must be found is computed from the rows alone: which calls
are rejected, and the edit that lets them pass. The script fails if the report of
``handrail replay --json`` says anything else.
"""

import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from typing import Any, NamedTuple

from typer.testing import CliRunner

from handrail.cli.app import app
from handrail.replay.calibrate import Calibration
from handrail.replay.check import Check
from handrail.replay.files import Log
from handrail.replay.readers import Reader, read_log, read_schemas
from handrail.replay.schemas import Catalogue
from handrail.runtime.config import Policy

JsonObject = dict[str, Any]  # Any: JSON values

FEWEST, SHARE = 30, 0.01
ROUNDS = 5


class Narrowed(NamedTuple):
    """A narrowing of one field, and what must be said of it."""

    schema: JsonObject
    pointer: str
    before: Any  # Any: JSON value, or None where nothing stands there
    after: Any  # Any: as before
    outside: int


Values = list[Any]  # Any: what the accepted calls gave for a field; MISSING where they gave nothing
MISSING = object()


# ---- narrowings: schema, field, values of the accepted calls -> the narrowed schema


def fewer_members(schema: JsonObject, name: str, values: Values) -> Narrowed | None:
    """An enum loses its rarest member that is common enough; a closed set gets an enum first."""
    given = [value for value in values if isinstance(value, str)]
    counts = Counter(given)
    field = schema["properties"][name]
    few = len(counts) <= 6 and len(given) == len([v for v in values if v is not MISSING])
    common = [value for value, calls in counts.items() if calls >= SHARE * len(values)]
    if "enum" not in field and not (few and len(common) == len(counts) and "type" in field):
        return None
    if len(common) < 2:
        return None
    lost = min(common, key=lambda value: (counts[value], value))
    members = field.get("enum", sorted(counts))
    field["enum"] = [one for one in members if one != lost]
    after = [*field["enum"], lost]
    return Narrowed(schema, f"/properties/{name}/enum", field["enum"], after, counts[lost])


def shorter(keyword: str, kind: type) -> Callable[[JsonObject, str, Values], Narrowed | None]:
    """A length is bounded by its median; it must be widened to the longest."""

    def narrow(schema: JsonObject, name: str, values: Values) -> Narrowed | None:
        sizes = sorted(len(value) for value in values if isinstance(value, kind))
        return bounded(schema, name, keyword, sizes, len(values))

    return narrow


def smaller(schema: JsonObject, name: str, values: Values) -> Narrowed | None:
    """A number is bounded by its median."""
    numbers = sorted(v for v in values if isinstance(v, int | float) and not isinstance(v, bool))
    return bounded(schema, name, "maximum", numbers, len(values))


def bounded(
    schema: JsonObject, name: str, keyword: str, sizes: list[Any], calls: int
) -> Narrowed | None:
    field = schema["properties"][name]
    if not sizes or "type" not in field or keyword in field:
        return None
    bound, most = sizes[len(sizes) // 2], sizes[-1]
    outside = sum(size > bound for size in sizes)
    if outside < max(1, SHARE * calls):
        return None
    field[keyword] = bound
    return Narrowed(schema, f"/properties/{name}/{keyword}", bound, most, outside)


def required(schema: JsonObject, name: str, values: Values) -> Narrowed | None:
    """An argument that some accepted calls left out must be given."""
    outside = sum(value is MISSING for value in values)
    stated = list(schema.get("required", []))
    if name in stated or outside < max(1, SHARE * len(values)):
        return None
    schema["required"] = [*stated, name]
    return Narrowed(schema, "/required", schema["required"], stated or None, outside)


def forbidden(schema: JsonObject, name: str, values: Values) -> Narrowed | None:
    """An argument is taken out of a contract that takes no others."""
    kinds = {
        "str": "string",
        "list": "array",
        "int": "integer",
        "float": "number",
        "dict": "object",
    }
    seen = {kinds.get(type(value).__name__) for value in values if value is not MISSING}
    outside = sum(value is not MISSING for value in values)
    if len(seen) != 1 or None in seen or outside < SHARE * len(values):
        return None
    del schema["properties"][name]
    schema["required"] = [one for one in schema.get("required", []) if one != name]
    schema["additionalProperties"] = False
    return Narrowed(schema, f"/properties/{name}", None, {"type": seen.pop()}, outside)


NARROWINGS: dict[str, Callable[[JsonObject, str, Values], Narrowed | None]] = {
    "an enum without one member": fewer_members,
    "a maximum length of texts": shorter("maxLength", str),
    "a maximum length of arrays": shorter("maxItems", list),
    "a maximum of numbers": smaller,
    "one more required argument": required,
    "one argument less, closed": forbidden,
}


# ---- the corpus


def read(folder: Path) -> tuple[dict[str, JsonObject], dict[str, list[JsonObject]]]:
    """The definitions by ref, and the arguments of the accepted calls of each."""
    definitions = {row["ref"]: row for row in rows_of(folder / "schemas.jsonl")}
    accepted: dict[str, list[JsonObject]] = {}
    unsure = set()
    for path in sorted(folder.glob("*.calls.jsonl")):
        for row in rows_of(path):
            if row["schema"] is None or row["error"]:
                continue
            if row["error"] is None:
                unsure.add(row["schema"])
            accepted.setdefault(row["schema"], []).append(json.loads(row["args_raw"]))
    known = {ref: calls for ref, calls in accepted.items() if ref not in unsure}
    return definitions, {ref: calls for ref, calls in known.items() if len(calls) >= FEWEST}


def rows_of(path: Path) -> Iterator[JsonObject]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def narrowings_of(
    narrow: Callable[[JsonObject, str, Values], Narrowed | None],
    definitions: dict[str, JsonObject],
    accepted: dict[str, list[JsonObject]],
) -> dict[str, Narrowed]:
    """One narrowing for each contract that allows it: of its first field that does."""
    found = {}
    for ref, calls in accepted.items():
        for name in definitions[ref]["parameters"].get("properties", {}):
            schema = deepcopy(definitions[ref]["parameters"])
            made = narrow(schema, name, [call.get(name, MISSING) for call in calls])
            if made is not None:
                found[ref] = made
                break
    return found


# ---- the replay


def replayed(folder: Path, schemas: Path) -> JsonObject:
    """What ``handrail replay --json`` says."""
    logs = [str(path) for path in sorted(folder.glob("*.calls.jsonl"))]
    done = CliRunner().invoke(app, ["replay", *logs, "--schemas", str(schemas), "--json"])
    assert done.exit_code in (0, 1), done.output
    report: JsonObject = json.loads(done.stdout)
    return report


def with_narrowed(
    definitions: dict[str, JsonObject], found: dict[str, Narrowed], folder: Path
) -> JsonObject:
    """The replay under the narrowed contracts."""
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "narrowed.jsonl"
        changed = {
            ref: {**definitions[ref], "parameters": one.schema} for ref, one in found.items()
        }
        with path.open("w", encoding="utf-8") as out:
            out.writelines(json.dumps(row) + "\n" for row in {**definitions, **changed}.values())
        return replayed(folder, path)


def check(found: dict[str, Narrowed], report: JsonObject, already: int) -> None:
    """Fail unless the report says exactly what must be said.

    Args:
        found: The narrowings.
        report: The report under the narrowed contracts.
        already: Suspected false alarms under the contracts as recorded.
    """
    outside = sum(one.outside for one in found.values())
    alarms = report["false_alarms"]
    assert alarms["calls"] == already + outside, (alarms["calls"], already, outside)
    told = {(one["tool"], one["pointer"]): one for one in report["widenings"]}
    assert len(told) == len(report["widenings"])
    expected = {(ref, one.pointer) for ref, one in found.items()}
    assert told.keys() == expected, told.keys() ^ expected
    for ref, one in found.items():
        widening = told[ref, one.pointer]
        before, after = widening.get("before"), widening.get("after")
        assert (before, after) == (one.before, one.after), (ref, widening, one)
        assert widening["calls"] == one.outside, (ref, widening, one)
        effect = (widening["false_alarms_before"], widening["false_alarms_after"])
        assert effect == (one.outside, 0), (ref, widening)


def speed(folder: Path, *, whole: bool) -> float:
    """Calls for a second of processor time, files read and all; the best of some rounds.

    Args:
        folder: The corpus.
        whole: Whether results are judged and held against; else it is what ``check`` does.
    """
    best = 0.0
    for _ in range(ROUNDS):
        rules = Policy.preset("balanced")
        calibration = Calibration(rules)
        run = Check(Catalogue(), rules, followers=[calibration] if whole else [])
        with Log(str(folder / "schemas.jsonl")) as log:
            list(run.findings(read_schemas(log)))
        reader = Reader(lambda: run.catalogue.schemas)  # noqa: B023  # used within the round
        began = time.process_time()
        for path in sorted(folder.glob("*.calls.jsonl")):
            with Log(str(path)) as log:
                for _finding in run.findings(read_log(log, reader)):
                    pass
        calibration.suggestions()
        best = max(best, run.totals.calls / (time.process_time() - began))
    return best


# ---- the page


def page(folder: Path) -> str:
    """The results, as Markdown."""
    definitions, accepted = read(folder)
    recorded = replayed(folder, folder / "schemas.jsonl")
    lines = [
        "# Replay of recorded calls",
        "",
        f"{datetime.now(UTC):%Y-%m-%d}, Python {python_version()}, "
        f"pydantic {version('pydantic')}, jsonschema-rs {version('jsonschema-rs')}. "
        "Made by `bench/narrowing.py`.",
        "",
        "## With the contracts as they were recorded",
        "",
        *told(recorded),
        "",
        "## With contracts that were narrowed on purpose",
        "",
        f"Of {len(definitions)} contracts, {len(accepted)} have {FEWEST} or more calls that are "
        "known to be accepted. Each narrowing was made on one field of every contract that has a "
        f"field for it: at least {SHARE:.0%} of its accepted calls must lie outside. The script "
        "fails unless the report has exactly these calls as false alarms, suggests exactly the "
        "edits that let them pass and no other, and is left with none once they are judged again.",
        "",
        "| narrowing | contracts | false alarms found | widenings suggested | left with them |",
        "|---|---|---|---|---|",
    ]
    already, notes = recorded["false_alarms"]["calls"], list[str]()
    for kind, narrow in NARROWINGS.items():
        found = narrowings_of(narrow, definitions, accepted)
        report = with_narrowed(definitions, found, folder)
        check(found, report, already)
        outside = sum(one.outside for one in found.values())
        left = sum(one["false_alarms_after"] for one in report["widenings"])
        lines.append(f"| {kind} | {len(found)} | {outside} | {len(report['widenings'])} | {left} |")
        if not found:
            notes.append(f"No contract with enough calls has a field for {kind}.")
    lines += [
        *(["", *notes] if notes else []),
        "",
        "## Speed",
        "",
        f"{speed(folder, whole=True):,.0f} calls for a second of processor time: read, judged, "
        "results judged, held against what came of them, loops followed. `handrail check`, which "
        f"judges no results, in the same minute: {speed(folder, whole=False):,.0f}. One core, best "
        f"of {ROUNDS} rounds, on a machine with other work: take the ratio.",
    ]
    return "\n".join(lines)


def told(report: JsonObject) -> list[str]:
    """The figures of one report."""
    alarms, blocked, outputs = report["false_alarms"], report["blocked"], report["outputs"]
    stopped = report["stopped"]
    groups = [f"`{one['tool']}` {one['code']} ×{one['calls']}" for one in alarms["groups"]]
    classes = ", ".join(f"{name} {calls}" for name, calls in outputs["by_class"].items())
    unknown = groups and all(one["code"] == "VAL-019" for one in alarms["groups"])
    unoffered = (
        " These tools were never offered to the model, so that the calls would be refused, and "
        "what the source kept of their results states no failure."
    )
    unoffered = unoffered if unknown else ""
    return [
        f"- {report['calls']:,} calls, {alarms['accepted']:,} of them accepted by the real tool "
        f"(of {alarms['accepted_assumed']:,} the log does not say it, and the result states no "
        f"failure), {report['failed']:,} failed.",
        f"- Suspected false alarms: {alarms['calls']} ({alarms['share']:.3%} of accepted calls)"
        f"{': ' + ', '.join(groups) if groups else ''}.{unoffered}",
        f"- Blocked: {blocked['calls']}; the real tool failed {blocked['caught']} of them as well.",
        f"- Results: {outputs['judged']:,} ({classes}).",
        f"- Widenings suggested: {len(report['widenings'])}.",
        f"- Budgets would have saved up to {stopped['replies']} model calls.",
    ]


if __name__ == "__main__":
    print(page(Path(sys.argv[1])))
