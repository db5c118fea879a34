"""Compares our verdict on recorded calls with the verdict that the corpus states, row by row.

    python bench/check_corpora.py FOLDER > bench/results/check-corpora.md

FOLDER holds ``*.calls.jsonl`` whose rows have ``valid`` and ``violations`` (JSON Schema 2020-12
against the declared parameters) beside the call, and ``schemas.jsonl``. Nearly all recorded calls
of a good model are valid, so agreement on them says little. Therefore every call is also damaged
in several ways, and our verdict is compared with that of a bare JSON Schema validator.
"""

import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from random import Random
from typing import Any

import jsonschema_rs

from handrail.replay.check import Check
from handrail.replay.files import Log, Row, rows
from handrail.replay.readers import Reader, read_schemas
from handrail.replay.records import Place, Recorded
from handrail.replay.schemas import Catalogue, Contract
from handrail.runtime.config import Policy

JsonObject = dict[str, Any]  # Any: JSON values
Damage = Callable[[JsonObject, JsonObject, Random], str | None]

SEED = 20
SLUGS = {"unknown_tool": "VAL-019"}
"""What the corpus calls a violation -> our code."""

KEYWORDS = {
    "required": "VAL-001",
    "type": "VAL-002",
    "minimum": "VAL-003",
    "maximum": "VAL-003",
    "additionalProperties": "VAL-005",
    "minItems": "VAL-006",
    "maxItems": "VAL-006",
    "pattern": "VAL-007",
    "enum": "VAL-008",
    "const": "VAL-008",
    "minLength": "VAL-009",
    "maxLength": "VAL-009",
    "format": "VAL-010",
    "uniqueItems": "VAL-012",
}
"""Keyword of JSON Schema -> our code for it."""

EXPLAINED = {
    "branches": "A value fits no branch of `anyOf`. The bare validator names the keyword `anyOf`; "
    "we name what is wrong in the branch that came closest, so that a model can correct it.",
    "both": "A value has the wrong type and is therefore no member of the enum either. The bare "
    "validator names both; we name the type (VAL-002), with the members as what is expected.",
    "mended": "The value was mended: read as the one thing that it can mean, so the call runs.",
    "placeholder": "A string is nothing but a placeholder (VAL-016). It fits the schema, and is "
    "no real value: the model is asked to correct it.",
    "fabricated": "An id has the shape of an invented one (VAL-017). It fits the schema.",
    "text": "The text is not one JSON object (VAL-004, VAL-011). A validator of values never "
    "sees it.",
    "unknown": "Not explained: a defect.",
}


@dataclass
class Tally:
    """Rows compared, rows on which both agree, and the others by class."""

    rows: int = 0
    same: int = 0
    invalid: int = 0
    warned: int = 0
    classes: Counter[str] = field(default_factory=Counter)

    def add(self, expected: set[str], found: set[str], kind: str) -> None:
        """One row: codes that were expected, codes that we gave, the class if they differ."""
        self.rows += 1
        self.same += expected == found
        self.invalid += bool(found)
        if expected != found:
            self.classes[kind] += 1


def call_rows(path: Path) -> Iterator[tuple[int, JsonObject]]:
    """The rows of a file with their lines."""
    with Log(str(path)) as log:
        for row in rows(log):
            if isinstance(row, Row) and isinstance(row.value, dict):
                yield row.line, row.value


def codes_of(run: Check, call: Recorded) -> set[str]:
    """Our error codes for one call."""
    return {code for finding in run.findings([call]) for code in finding.codes}


def recorded(run: Check, place: Place, row: JsonObject) -> Recorded:
    """The row as `handrail check` reads it."""
    (call,) = Reader(lambda: run.catalogue.schemas).read(row, place)
    assert isinstance(call, Recorded)
    return call


# ---- damage: each changes the arguments in place and says whether it could


def drop_required(arguments: JsonObject, schema: JsonObject, random: Random) -> str | None:
    names = [name for name in schema.get("required", []) if name in arguments]
    return str(arguments.pop(random.choice(names))) if names else None


def wrong_type(arguments: JsonObject, schema: JsonObject, random: Random) -> str | None:
    if not arguments:
        return None
    values: tuple[object, ...] = (None, True, 7, 7.5, "x", [], {})
    arguments[random.choice(sorted(arguments))] = random.choice(values)
    return ""


def extra_field(arguments: JsonObject, schema: JsonObject, random: Random) -> str | None:
    arguments["zz_extra"] = 1
    return ""


def whole_float(arguments: JsonObject, schema: JsonObject, random: Random) -> str | None:
    names = [name for name, value in arguments.items() if type(value) is int]
    for name in names:
        arguments[name] = float(arguments[name])
    return "" if names else None


def lost_member(arguments: JsonObject, schema: JsonObject, random: Random) -> str | None:
    fields = schema.get("properties", {})
    names = [name for name in arguments if "enum" in fields.get(name, {})]
    if names:
        arguments[random.choice(names)] = "no-such-member"
    return "" if names else None


def placeholder(arguments: JsonObject, schema: JsonObject, random: Random) -> str | None:
    names = [name for name, value in arguments.items() if isinstance(value, str)]
    if names:
        arguments[random.choice(names)] = "<YOUR_VALUE>"
    return "" if names else None


DAMAGES: dict[str, tuple[str, Damage]] = {
    "required field dropped": ("unknown", drop_required),
    "value of a random type": ("unknown", wrong_type),
    "unknown field added": ("unknown", extra_field),
    "integers as 3.0": ("unknown", whole_float),
    "enum member that is none": ("unknown", lost_member),
    "placeholder instead of text": ("placeholder", placeholder),
}
CUT = "text cut off by one character"


def bare_codes(schema: JsonObject, value: object) -> tuple[set[str], bool]:
    """What a bare validator says, as our codes; and whether branches are among it."""
    errors = list(jsonschema_rs.Draft202012Validator(schema).iter_errors(value))
    keywords = {str(error.schema_path[-1]) for error in errors}
    keywords |= {str(part) for error in errors for part in error.schema_path[-2:-1]} & {"required"}
    codes = {KEYWORDS[word] for word in keywords if word in KEYWORDS}
    branches = bool(keywords & {"anyOf", "oneOf"})
    return codes or ({"other"} if errors else set()), branches


# ---- the two comparisons


def compare_stated(run: Check, folder: Path) -> dict[str, Tally]:
    """Our verdict beside the one that the corpus states, by file."""
    tallies: dict[str, Tally] = {}
    for path in sorted(folder.glob("*.calls.jsonl")):
        tally = tallies.setdefault(path.name, Tally())
        for line, row in call_rows(path):
            expected = {SLUGS.get(one, one) for one in row["violations"]}
            before = run.totals.warned
            found = codes_of(run, recorded(run, Place(path.name, line), row))
            kind = "fabricated" if found == {"VAL-017"} else "unknown"
            tally.add(expected, found, kind)
            tally.warned += run.totals.warned - before
            assert row["valid"] == (not expected), f"{path.name}:{line} contradicts itself"
    return tallies


def compare_damaged(run: Check, folder: Path) -> dict[str, Tally]:
    """Our verdict beside a bare validator's, on damaged calls, by damage."""
    tallies: dict[str, Tally] = {}
    random = Random(SEED)
    for path in sorted(folder.glob("*.calls.jsonl")):
        for line, row in call_rows(path):
            call = recorded(run, Place(path.name, line), row)
            contract = run.catalogue.match(call)
            if isinstance(contract, Contract):
                schema = dict(contract.tool.schema)
                damage_all(run, call, schema, random, tallies)
    return tallies


def damage_all(
    run: Check, call: Recorded, schema: JsonObject, random: Random, tallies: dict[str, Tally]
) -> None:
    """Every kind of damage to one call."""
    text = str(call.arguments)
    for name, (kind, damage) in DAMAGES.items():
        arguments = json.loads(text)
        if damage(arguments, schema, random) is None:
            continue
        expected, branches = bare_codes(schema, arguments)
        warned, mended = run.totals.warned, run.totals.mended
        found = codes_of(run, replace(call, arguments=json.dumps(arguments)))
        if run.totals.mended > mended:
            kind = "mended"
        elif branches:
            kind = "branches"
        elif expected - found == {"VAL-008"} and expected - {"VAL-008"} == found >= {"VAL-002"}:
            kind = "both"
        tally = tallies.setdefault(name, Tally())
        tally.add(expected, found, kind)
        tally.warned += run.totals.warned - warned
    found = codes_of(run, replace(call, arguments=text.rstrip()[:-1]))
    tallies.setdefault(CUT, Tally()).add(set(), found, "text")


def speed(folder: Path, times: int = 5) -> float:
    """Calls per second of `handrail check`, files read and all."""
    best = 0.0
    for _ in range(times):
        run = prepared(folder)
        reader = Reader(lambda: run.catalogue.schemas)  # noqa: B023  # used within the round
        began = time.perf_counter()
        for path in sorted(folder.glob("*.calls.jsonl")):
            for line, row in call_rows(path):
                for _finding in run.findings(reader.read(row, Place(path.name, line))):
                    pass
        best = max(best, run.totals.calls / (time.perf_counter() - began))
    return best


def prepared(folder: Path) -> Check:
    """A check under the default policy that knows the schemas of the corpus."""
    run = Check(Catalogue(), Policy.preset("balanced"))
    with Log(str(folder / "schemas.jsonl")) as log:
        for finding in run.findings(read_schemas(log)):
            print(finding.message, file=sys.stderr)
    return run


# ---- the report


def table(head: str, tallies: dict[str, Tally]) -> str:
    """One comparison as a table."""
    lines = [
        f"| {head} | calls | same verdict and codes | different | invalid by us | only warned |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for name, one in tallies.items():
        figures = (one.rows, one.same, one.rows - one.same, one.invalid, one.warned)
        lines.append(f"| {name} | " + " | ".join(f"{figure:,}" for figure in figures) + " |")
    return "\n".join(lines)


def classes(tallies: dict[str, Tally]) -> str:
    """Every class of difference with its explanation."""
    found: Counter[str] = Counter()
    for one in tallies.values():
        found.update(one.classes)
    if not found:
        return "No differences."
    return "\n".join(f"- {count:,} x {EXPLAINED[kind]}" for kind, count in found.most_common())


def main() -> None:
    """Print the report."""
    if len(sys.argv) != 2 or not Path(sys.argv[1], "schemas.jsonl").is_file():
        sys.exit("usage: check_corpora.py FOLDER (with *.calls.jsonl and schemas.jsonl)")
    folder = Path(sys.argv[1])
    run = prepared(folder)
    stated = compare_stated(run, folder)
    damaged = compare_damaged(prepared(folder), folder)
    libraries = ", ".join(f"{name} {version(name)}" for name in ("pydantic", "jsonschema-rs"))
    print(f"""# Recorded calls: our verdict beside the corpus's own

Made by `bench/check_corpora.py` on {datetime.now(UTC):%Y-%m-%d} with
Python {python_version()}, {libraries}; policy `balanced`.
The corpus judges by JSON Schema 2020-12 against the declared parameters, and says `unknown_tool`
where a tool was not offered.

## As recorded

{table("file", stated)}

{classes(stated)}

Crashes: 0. Rows that could not be read: {run.totals.unreadable}. Calls without a schema:
{run.totals.no_schema}. Read, judged and counted: {speed(folder):,.0f} calls per second
(one core, best of five).

## Damaged on purpose

Each recorded call, damaged in each way that applies (seed {SEED}), judged by us and by a bare
JSON Schema validator whose keywords are read as our codes.

{table("damage", damaged)}

{classes(damaged)}

What agrees, and might have been expected to differ: a field that an open schema does not name is
a warning for us, as JSON Schema allows it («only warned»); `3.0` is an integer for both; what a
schema with `additionalProperties: false` does not name is an error for both.""")


if __name__ == "__main__":
    main()
