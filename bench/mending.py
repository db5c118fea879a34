"""Mends faults in known-right calls, and counts what came out as something else.

    pip install --no-deps bfcl-eval==2026.3.23
    python bench/mending.py > bench/results/mending.md

The gold calls are those of the Berkeley Function Calling Leaderboard (Apache-2.0): function
documents and possible answers. Every call gets every fault once, at a place that a seed chooses,
and is judged as a read, a write and a destructive tool. A mended call must be the gold call.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

from mending_faults import HOPELESS, IDS, MENDABLE, Fault

from handrail import Judgement, Tool
from handrail.contract.canonical import canonical
from handrail.contract.judge import judge_input
from handrail.contract.policy import PRESETS, Settings
from handrail.errors import ContractError

JsonObject = dict[str, Any]  # Any: JSON values

SEED = 3
VERSION = "2026.3.23"
SETS = (
    *("simple_python", "multiple", "parallel", "parallel_multiple"),
    *("live_simple", "live_multiple", "live_parallel", "live_parallel_multiple"),
)
TYPES = {"dict": "object", "float": "number", "tuple": "array", "list": "array"}
MODES = {
    "read, balanced": ("read", "balanced"),
    "write, balanced": ("write", "balanced"),
    "write, lenient": ("write", "lenient"),
    "destructive, lenient": ("destructive", "lenient"),
    "read, strict": ("read", "strict"),
}
LEVELS = {
    mode: Settings(**PRESETS[preset]).mend_level[action] for mode, (action, preset) in MODES.items()
}
SYNTAX = {"bom", "fence", "prose", "trailing_comma", "python_literal", "quotes"}


def data_folder() -> Path | None:
    """Where the package keeps its data; None if it is not installed."""
    found = find_spec("bfcl_eval")
    places = list(found.submodule_search_locations or ()) if found else []
    return Path(places[0]) / "data" if places else None


def rows(path: Path) -> Iterator[JsonObject]:
    """The rows of a file of JSON lines."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            yield json.loads(line)


def json_schema(stated: Any) -> Any:
    """A function document's parameters as closed JSON Schema."""
    if not isinstance(stated, dict):
        return stated
    made = {}
    for key, item in stated.items():
        if key == "properties":
            made[key] = {name: json_schema(field) for name, field in item.items()}
        elif key == "items":
            made[key] = json_schema(item)
        elif key == "type" and isinstance(item, str):
            if item != "any":
                made[key] = TYPES.get(item, item)
        elif key in ("required", "enum", "minimum", "maximum", "description"):
            made[key] = item
    if "properties" in made:
        made["additionalProperties"] = False
    return made


def first_answer(options: Any) -> Any:
    """The first possible answer of a field; ``...`` if it may be left out and has none."""
    chosen = next((one for one in options if one != ""), ...)
    return plain(chosen)


def plain(value: Any) -> Any:
    """A possible answer whose nested objects list their own possible answers."""
    if isinstance(value, dict):
        made = {
            key: first_answer(item) if isinstance(item, list) else item
            for key, item in value.items()
        }
        return {key: item for key, item in made.items() if item is not ...}
    return [plain(item) for item in value] if isinstance(value, list) else value


def gold_calls(folder: Path) -> Iterator[tuple[JsonObject, JsonObject]]:
    """Schema and right arguments of every call whose answer is stated."""
    for name in SETS:
        documents = {row["id"]: row["function"] for row in rows(folder / f"BFCL_v4_{name}.json")}
        for row in rows(folder / "possible_answer" / f"BFCL_v4_{name}.json"):
            functions = {one["name"]: one for one in documents[row["id"]]}
            for call in row["ground_truth"]:
                ((function, answers),) = call.items()
                if function in functions:
                    yield json_schema(functions[function]["parameters"]), plain(answers)


def tools_of(schema: JsonObject) -> dict[str, Tool]:
    """The tool in every mode."""
    ids = [name for name in schema.get("properties", {}) if IDS.search(name)]
    return {
        mode: Tool.from_json_schema("tool", "Does it.", schema, action_type=action, ids=ids)
        for mode, (action, _) in MODES.items()
    }


def same(one: Any, other: Any) -> bool:
    """Whether two JSON values are the same."""
    return canonical(one) == canonical(other)


class Tally:
    """What became of the faults."""

    def __init__(self) -> None:
        self.calls = self.skipped = 0
        self.made: Counter[tuple[str, str]] = Counter()
        self.gold: Counter[tuple[str, str]] = Counter()
        self.wrong: list[JsonObject] = []
        self.beyond: list[JsonObject] = []

    def count(self, fault: str, mode: str, gold: JsonObject, sent: str, found: Judgement) -> None:
        """One faulty call: mended to gold, left alone, or read as something else."""
        if found.ok and not found.mends:
            return
        self.made[fault, mode] += 1
        kinds = {mend.kind for mend in found.mends}
        case = {"fault": fault, "mode": mode, "sent": sent, "gold": gold, "read": found.value}
        if mode.startswith("destructive") and kinds - SYNTAX:
            self.beyond.append(case)
        if found.ok and same(found.value, gold):
            self.gold[fault, mode] += 1
        elif found.ok:
            self.wrong.append(case)


def judge(tool: Tool, text: str, mode: str) -> Judgement:
    """The verdict on arguments; ids are taken as seen, since only mending is measured."""
    return judge_input(tool, text, Settings(**PRESETS[MODES[mode][1]]), lambda _: True)


def run(folder: Path, most: int | None, seed: int) -> Tally:
    """Every gold call, or a seeded sample, with every fault in every mode."""
    calls = list(gold_calls(folder))
    if most is not None:
        calls = Random(seed).sample(calls, min(most, len(calls)))
    tally = Tally()
    faults: dict[str, Fault] = {
        **{name: fault for name, (_, fault) in MENDABLE.items()},
        **HOPELESS,
    }
    for number, (schema, gold) in enumerate(calls):
        try:
            tools = tools_of(schema)
        except ContractError:
            tally.skipped += 1
            continue
        if not judge(tools["read, strict"], json.dumps(gold), "read, strict").ok:
            tally.skipped += 1
            continue
        tally.calls += 1
        for name, fault in faults.items():
            sent = fault(gold, schema, Random(f"{seed} {number} {name}"))
            for mode, tool in tools.items() if sent is not None else ():
                tally.count(name, mode, gold, sent, judge(tool, sent, mode))
    return tally


def share(tally: Tally, fault: str, mode: str) -> str:
    """Calls mended to gold, of those with the fault."""
    made, gold = tally.made[fault, mode], tally.gold[fault, mode]
    return f"{gold / made:.1%}" if made else "-"


def page(tally: Tally, seed: int) -> str:
    """The results as Markdown."""
    columns = list(MODES)
    lines = [
        "# Mending",
        "",
        "Made by `bench/mending.py`; what is in here is its output.",
        "",
        f"Gold calls of `bfcl-eval=={VERSION}`: {tally.calls:,} used, {tally.skipped:,} left out"
        " because their own document refuses the answer, or is no JSON Schema."
        f" Seed {seed}. Schemas are closed.",
        "",
        f"Calls mended to something else than gold: **{len(tally.wrong)}**.",
        f"Calls of destructive tools changed beyond syntax: **{len(tally.beyond)}**.",
        "",
        "## Faults of the listed kinds",
        "",
        "Share of the faulty calls that ran as the gold call. A fault above the level of a column "
        "is not mended there: the model is asked.",
        "",
        "| fault | level | calls | " + " | ".join(columns) + " |",
        "|---|---|---|" + "---|" * len(columns),
    ]
    for name, (level, _) in MENDABLE.items():
        made = tally.made[name, columns[0]]
        cells = " | ".join(share(tally, name, mode) for mode in columns)
        lines.append(f"| {name} | {level} | {made:,} | {cells} |")
    lines += [
        "",
        "## Faults that must not be mended",
        "",
        "Calls that ran, of those with the fault; calls that stay valid in spite of it are not "
        "counted.",
        "",
        "| fault | calls | " + " | ".join(columns) + " |",
        "|---|---|" + "---|" * len(columns),
    ]
    for name in HOPELESS:
        ran = Counter(case["mode"] for case in tally.wrong if case["fault"] == name)
        cells = " | ".join(str(ran[mode] + tally.gold[name, mode]) for mode in columns)
        lines.append(f"| {name} | {tally.made[name, columns[0]]:,} | {cells} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description="Mend faults in known-right calls.")
    parser.add_argument("--calls", type=int, help="a seeded sample of so many calls")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--json", action="store_true", help="figures instead of the page")
    options = parser.parse_args()
    folder = data_folder()
    if folder is None:
        print(f"install the data: pip install --no-deps bfcl-eval=={VERSION}", file=sys.stderr)
        return 2
    tally = run(folder, options.calls, options.seed)
    if options.json:
        mended = {f"{fault}: {mode}": count for (fault, mode), count in tally.gold.items()}
        made = {f"{fault}: {mode}": count for (fault, mode), count in tally.made.items()}
        print(
            json.dumps(
                {
                    "calls": tally.calls,
                    "made": made,
                    "gold": mended,
                    "wrong": tally.wrong,
                    "beyond": tally.beyond,
                }
            )
        )
    else:
        print(page(tally, options.seed), end="")
    for case in tally.wrong[:20]:
        print(json.dumps(case), file=sys.stderr)
    return 1 if tally.wrong or tally.beyond else 0


if __name__ == "__main__":
    sys.exit(main())
