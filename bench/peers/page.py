"""The page of figures."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from peers.contestants import ENVIRONMENTS
from peers.rounds import BARE, Found, Spread
from peers.tasks import TASKS

__all__ = ["page"]

VALID_GOAL, INVALID_GOAL, TURN_GOAL_US = 10.0, 20.0, 200.0

ABOUT = (
    "What `handrail` adds to a tool call, beside pydantic-core alone and beside the tool dispatch "
    "of other libraries. The unit is what nobody can do without: for a call that runs, "
    "`SchemaValidator.validate_json(text)` of pydantic-core and the call of the function; for a "
    "wrong call, the refused validation and `errors()`. A figure of 5 means five times that.\n\n"
    "The tools have 6 fields, 20 fields, and two levels of objects with a list of five; the "
    "function does nothing but count. Policy, checks, budgets, loop detection and journal of "
    "`handrail` are on, as they come. Every call has new arguments and a new id."
)

HOW = (
    "Each contestant runs in a process and an environment of its own. All take turns in every "
    "round; who begins changes with the round. In each round the same process first measures the "
    "bare work, and ratios are taken within the round, so a neighbour that slows the machine "
    "slows both sides. Given are the median of all rounds and, in brackets, the tenth and the "
    "ninetieth percentile. Times are processor time of the process, its threads included; waiting "
    "is not counted. The garbage collector is on."
)

NOTES = (
    "- Contestants do different amounts of work: `handrail` counts attempts, spots loops, keeps a "
    "journal and mends; pydantic-ai counts retries; the others validate, call and tell. The "
    "figures say what a call costs, not what it is worth.",
    "- Texts are what all begin with. Where a library takes parsed arguments, because a "
    "provider's package has parsed them, `json.loads` is counted in its time.",
    "- All async doors, those of `handrail` too, get the tool as an async function: a plain one "
    "goes to a thread in most of them, which costs more. Only `answer_sync` gets a plain "
    "function, which it runs in place.",
    "- Only whole replies include what surrounds a tool call: reading a provider's response, and "
    "writing the messages of the next request. No other dispatch here does that.",
    "- A whole turn is the library's own agent loop with a model that answers at once from a "
    "script: a wrong call, the right one, and an answer. With a real model its seconds hide all "
    "of this; the figures matter to a host that serves many turns on one core.",
    "- Telemetry exporters, tracing and terminal output are off for all, and nobody listens to the "
    "log; `handrail` makes no log record then.",
    "- strands-agents takes constraints of parameters only as default values, so it gets them "
    "there.",
)


def page(found: Sequence[Found], absent: dict[str, str], machine: dict[str, Any]) -> str:
    """The whole page, without a last newline."""
    parts = [
        "# Speed\n",
        "Made by `python bench/hot_path.py --output docs/speed.md` (`--help` lists the options); "
        "do not edit. The [benchmark](../bench/results) of everything else is `make bench`.\n",
        ABOUT + "\n",
        *_machine_lines(machine),
        "",
        HOW + "\n",
        *_goals(found),
    ]
    for title, about, case, cell in SECTIONS:
        rows = [one for one in found if case in one.cases]
        if rows:
            parts += [f"## {title}\n", about + "\n", *_by_task(rows, case, cell), ""]
    parts += ["## What the model reads about the wrong call\n", *_messages(found), ""]
    parts += ["## The bare work\n", *_bare(found), ""]
    parts += ["## What is called\n", *_called(found), ""]
    parts += ["## Read with care\n", *NOTES]
    if absent:
        parts += ["\n## Left out\n", *(f"- {title}: {why}" for title, why in absent.items())]
    return "\n".join(parts)


def _machine_lines(machine: dict[str, Any]) -> list[str]:
    rounds = "round" if machine["rounds"] == 1 else "rounds"
    loads = " and ".join(f"{load:g}" for load in machine["load_average"])
    lines = [
        f"- {machine['date']}, {machine['rounds']} {rounds} in {machine['minutes']:g} minutes"
        + (", quick: too few for more than a glance" if machine["quick"] else ""),
        f"- {machine['processor']}, {machine['cores']} cores, {machine['system']}, "
        f"{machine['python']}",
        f"- load average before and after: {loads}",
    ]
    if machine["load_average"][0] > 1.0:  # the benchmark itself is 1 of the load afterwards
        lines.append("- the machine was busy with other work: trust ratios more than times")
    return lines


# cells and tables


def _ratio(one: Found, task: str, case: str) -> str:
    return _spread(one.ratio(task, case))


def _both(one: Found, task: str, case: str) -> str:
    times = one.ratio(task, case).median
    return f"{_spread(one.micros(task, case))} µs; {_number(times)} times"


def _spread(spread: Spread) -> str:
    return f"{_number(spread.median)} ({_number(spread.p10)} .. {_number(spread.p90)})"


def _number(value: float) -> str:
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}"


SECTIONS: tuple[tuple[str, str, str, Callable[[Found, str, str], str]], ...] = (
    (
        "A valid call",
        "Multiples of bare validation and call.",
        "valid",
        _ratio,
    ),
    (
        "A call that can be mended",
        "One list, or one object, is sent as JSON text: a common slip of small models. Multiples "
        "of a bare *valid* call. Where the call is sent back, the model pays with a round of its "
        "own.",
        "mended",
        _ratio,
    ),
    (
        "An invalid call, to the whole message",
        "Two fields are wrong; the time ends with the text for the model. Multiples of bare "
        "refusal with `errors()`.",
        "invalid",
        _ratio,
    ),
    (
        "Two rounds",
        "The wrong call, answered, then the right one, through the tool dispatch alone. "
        "Microseconds, and multiples of bare refusal and bare call together.",
        "two rounds",
        _both,
    ),
    (
        "A whole turn",
        "The same two rounds and an answer through the library's own loop, with a scripted model.",
        "whole turn",
        _both,
    ),
)


def _by_task(rows: Sequence[Found], case: str, cell: Callable[[Found, str, str], str]) -> list[str]:
    becomes = case == "mended"
    head = ["", *(task.title for task in TASKS.values()), *(["the call"] if becomes else [])]
    return _table(
        head,
        (
            [
                one.contestant.title,
                *(cell(one, task, case) for task in TASKS),
                *([_became(one)] if becomes else []),
            ]
            for one in rows
        ),
    )


def _became(one: Found) -> str:
    ran = [bool(shown["mended"]["ran"]) for shown in one.shown.values()]
    return "runs" if all(ran) else "is sent back" if not any(ran) else "sometimes runs"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    rule = "|" + "|".join(["---"] * len(head)) + "|"
    return [f"| {' | '.join(head)} |", rule, *(f"| {' | '.join(row)} |" for row in rows)]


# parts of their own


def _goals(found: Sequence[Found]) -> list[str]:
    rows = [row for one in found if one.contestant.ours for row in _goals_of(one)]
    if not rows:
        return []
    peers = [one for one in found if not one.contestant.ours]
    lines = ["## Goals\n", *_table(["", "goal", "worst of the three tools", ""], rows), ""]
    for case, what in (("two rounds", "Two rounds"), ("whole turn", "A whole turn")):
        having = [one for one in peers if case in one.cases]
        taken = [one.micros(task, case).median / 1e3 for one in having for task in TASKS]
        if taken:
            low, high = min(taken), max(taken)
            lines += [f"{what} of the other libraries: {low:.2g} to {high:.2g} ms.\n"]
    return lines


def _goals_of(one: Found) -> list[list[str]]:
    title = one.contestant.title
    rows = []
    for case, goal in (("valid", VALID_GOAL), ("invalid", INVALID_GOAL)):
        worst = max(one.ratio(task, case).median for task in TASKS)
        met = "met" if worst <= goal else "missed"
        rows.append([f"{title}: {case} call", f"at most {goal:g} times", _number(worst), met])
    if "two rounds" in one.cases:
        worst = max(one.micros(task, "two rounds").median for task in TASKS)
        met = "met" if worst < TURN_GOAL_US else "missed"
        goal_ms, worst_ms = f"under {TURN_GOAL_US / 1e3:g} ms", f"{worst / 1e3:.2f} ms"
        rows.append([f"{title}: two rounds", goal_ms, worst_ms, met])
    return rows


def _messages(found: Sequence[Found]) -> list[str]:
    def cell(one: Found, task: str) -> str:
        text = one.shown[task]["invalid"]["text"]
        named = sum(field in text for field in TASKS[task].wrong)
        return f"{len(text):,}; {named} of 2"

    head = ["characters; wrong fields named", *(task.title for task in TASKS.values())]
    rows = ([one.contestant.title, *(cell(one, task) for task in TASKS)] for one in found)
    return _table(head, rows)


def _bare(found: Sequence[Found]) -> list[str]:
    head = ["µs", *(f"{task.title}, {case}" for task in TASKS.values() for case in BARE)]
    rows = (
        [
            one.contestant.title,
            *(_spread(one.micros(task, case)) for task in TASKS for case in BARE),
        ]
        for one in found
    )
    return _table(head, rows)


def _called(found: Sequence[Found]) -> list[str]:
    lines = _table(
        ["", "a call", "a whole turn", "versions"],
        (
            [
                one.contestant.title,
                one.contestant.path,
                one.contestant.whole or "",
                ", ".join(f"{name} {number}" for name, number in one.versions.items()),
            ]
            for one in found
        ),
    )
    pins = sorted({pin for pins in ENVIRONMENTS.values() for pin in pins})
    return [*lines, "", f"Pinned in `bench/peers/contestants.py`: {', '.join(pins)}."]
