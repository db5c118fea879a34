"""What big outputs cost, beside reading the same JSON: a table of ratios.

    python bench/outputs.py > bench/results/outputs.md

Every case is a function of a text that is set up outside of the clock. Processor time, the best
of several rounds, and beside it that of `json.loads` of the same text in the same round: machines
differ, the ratio hardly does. A further case is a further line in `CASES`.
"""

import json
import platform
import random
import time
from collections.abc import Callable
from typing import Any, Literal, NamedTuple, TypedDict

from handrail import Tool
from handrail.contract.compact import compact, compact_text
from handrail.contract.returned import judge_output

Json = Any  # Any: JSON value

ROUNDS = 9
MEGABYTE = 1_000_000
BUDGET = 8_000


class Case(NamedTuple):
    """One line of the table.

    Attributes:
        name: What is done.
        text: The output, as JSON text.
        work: What is measured, of the parsed value and its text.
    """

    name: str
    text: str
    work: Callable[[Json, str], object]


def orders(characters: int) -> str:
    """Rows with ids, names, numbers, lists and a text of uneven length, as an API gives them."""
    chance = random.Random(1)
    rows: list[Json] = []
    size = 0
    while size < characters:
        number = len(rows)
        row = {
            "order_id": f"O-{number}",
            "name": f"Order {number}",
            "status": chance.choice(["open", "paid", "sent"]),
            "total": round(chance.random() * 900, 2),
            "note": "please ring twice, the bell is broken. " * chance.randint(0, 30),
            "items": [{"sku": f"S-{number}-{n}", "qty": n} for n in range(chance.randint(1, 4))],
        }
        rows.append(row)
        size += len(json.dumps(row))
    return json.dumps({"orders": rows, "page": 1, "has_more": False})


def numbers(characters: int) -> str:
    """Measurements without any id."""
    rows = [{"t": n, "value": n * 0.25} for n in range(characters // 26)]
    return json.dumps({"unit": "celsius", "rows": rows})


def document(characters: int) -> str:
    """One object with one long text."""
    return json.dumps({"id": "D-1", "title": "T", "body": "word and word. " * (characters // 15)})


def _value(value: Json, _text: str) -> object:
    return compact(value, BUDGET)


def _text(_value: Json, text: str) -> object:
    return compact_text(text, BUDGET)


class _Row(TypedDict):
    order_id: str
    name: str
    status: Literal["open", "paid", "sent"]
    total: float
    note: str
    items: list[dict[str, Any]]  # Any: JSON values


class _Orders(TypedDict):
    orders: list[_Row]
    page: int
    has_more: bool


_PLAIN = Tool("list_orders", "List orders.", None, {"type": "object"})
_DECLARED = Tool("list_orders", "List orders.", None, {"type": "object"}, returns=_Orders)


def _judge_value(value: Json, _text: str) -> object:
    return judge_output(_PLAIN, value)


def _judge_text(_value: Json, text: str) -> object:
    return judge_output(_PLAIN, text)


def _judge_declared(value: Json, _text: str) -> object:
    return judge_output(_DECLARED, value)


def _judge_declared_text(_value: Json, text: str) -> object:
    return judge_output(_DECLARED, text)


def judging() -> list[Case]:
    """A result of 100 KB, judged: by its structure alone, and by what is declared."""
    text, long = orders(100_000), document(100_000)
    return [
        Case("judge a value, nothing declared, 100 KB", text, _judge_value),
        Case("judge JSON text, nothing declared, 100 KB", text, _judge_text),
        Case("judge a value, declared, 100 KB", text, _judge_declared),
        Case("judge JSON text, declared, 100 KB", text, _judge_declared_text),
        Case("judge a value, one long text, 100 KB", long, _judge_value),
    ]


def cases() -> list[Case]:
    """What is measured."""
    made = [
        (kind, make(size * 1_000), size)
        for size in (100, 1_000)
        for kind, make in (("orders", orders), ("numbers", numbers), ("one text", document))
    ]
    found = [
        *judging(),
        *(Case(f"compact a value, {kind}, {size:,} KB", text, _value) for kind, text, size in made),
    ]
    found += [
        Case(f"compact JSON text, {kind}, {size:,} KB", text, _text)
        for kind, text, size in made
        if size == 1_000
    ]
    ids = json.dumps([{"id": n, "name": f"row {n}"} for n in range(2_000)])
    found.append(Case("within the budget, untouched", ids[:20_000].rsplit(",", 2)[0] + "]", _value))
    return found


def timed(work: Callable[[], object]) -> float:
    """Milliseconds of processor time."""
    start = time.process_time()
    work()
    return (time.process_time() - start) * 1_000


def measured(case: Case) -> tuple[float, float]:
    """Milliseconds of the case and of `json.loads`, each the best of its rounds."""
    value = json.loads(case.text)
    pairs = [
        (timed(lambda: case.work(value, case.text)), timed(lambda: json.loads(case.text)))
        for _ in range(ROUNDS)
    ]
    return min(own for own, _ in pairs), min(other for _, other in pairs)


def main() -> None:
    """Print the page."""
    print("# Big outputs\n")
    print(
        "Written by `bench/outputs.py`: processor time beside `json.loads` of the same text, the "
        f"best of {ROUNDS} rounds. Compaction is to {BUDGET:,} tokens, characters / 4. "
        f"Python {platform.python_version()}.\n"
    )
    print("| case | characters | ms | json.loads, ms | ratio |")
    print("|---|---|---|---|---|")
    for case in cases():
        own, other = measured(case)
        print(f"| {case.name} | {len(case.text):,} | {own:.2f} | {other:.2f} | {own / other:.1f} |")


if __name__ == "__main__":
    main()
