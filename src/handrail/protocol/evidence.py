"""What the calls of a turn have shown, and which call would look closer at it.

A *lead* joins a row of an earlier result with the tool that can look at it: a read of the same
group (or the same tool) with a declared id field whose value the row carries. The author declares
``group`` and ``ids``; everything else follows from the shape of the results.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from handrail.contract.candidates import Candidate, candidates_of, id_in
from handrail.contract.clarification import Clarification, read_clarification
from handrail.contract.similarity import bare
from handrail.contract.tool import Tool
from handrail.protocol.found import Found

__all__ = ["Lead", "clarification_in", "leads", "open_question", "related"]

_LOOSE = (dict, list, str, int, float, bool, object)


class Lead(NamedTuple):
    """A row of a result, and the call that would look at it.

    Attributes:
        candidate: The row.
        tool: Who can look at it.
        field: The argument that takes the id.
        id: The id.
        at: Place of the result among all that were found.
    """

    candidate: Candidate
    tool: Tool
    field: str
    id: str | int
    at: int

    def followed(self, found: Sequence[Found]) -> bool:
        """Whether a later call of the same group looked at it."""
        later = found[self.at + 1 :]
        return any(
            one.good and related(one.tool, self.tool) and one.names(self.id) for one in later
        )


def related(one: Tool, other: Tool) -> bool:
    """Whether two tools are the same or of one group."""
    return one is other or (one.group is not None and one.group == other.group)


def leads(found: Sequence[Found], tools: Sequence[Tool], taker: Tool | None = None) -> list[Lead]:
    """Every row of the results so far that a tool can look at, oldest first.

    What a call was asked for by its id is no lead of that call: it was looked at.

    Args:
        found: The calls that ended.
        tools: The tools that may look: the reads among them.
        taker: The one tool that shall take the ids instead, whatever it does with them.
    """
    near = [one for one in tools if one.action_type == "read"] if taker is None else [taker]
    made: list[Lead] = []
    for at, one in enumerate(found):
        if one.good and one.tool.action_type == "read":
            lookers = _lookers(one.tool, near)
            if lookers:
                made += _leads_of(one, at, lookers)
    return made


def _lookers(tool: Tool, tools: Sequence[Tool]) -> list[tuple[Tool, str]]:
    """The tools that could take an id from its results; the tool itself first, where it can."""
    near = [one for one in tools if related(one, tool)]
    near.sort(key=lambda one: one is not tool)
    return [
        (one, field)
        for one in near
        for field in one.id_patterns
        if field in one.schema.get("properties", {})
    ]


def _leads_of(found: Found, at: int, lookers: Sequence[tuple[Tool, str]]) -> list[Lead]:
    stems = {_stem(field) for _, field in lookers}
    made = []
    for candidate in (*_declared(found), *candidates_of(found.result.data)):
        for tool, field in lookers:
            about = bare(candidate.listed) + bare(found.tool.name)
            alone = len(stems) == 1 or _stem(field) in about
            id = _own_id(candidate, field, alone=alone)
            if id is not None and not found.names(id):
                made.append(Lead(candidate, tool, field, id, at))
                break
    return made


def _own_id(candidate: Candidate, field: str, *, alone: bool) -> str | int | None:
    """The row's own id, which stands first among its ids: others are of what it refers to."""
    row = candidate.row
    for key in row:
        name = bare(str(key))
        if name in ("id", "uid", "uuid", "guid") or str(key).endswith(("_id", "Id", "ID")):
            return id_in({key: row[key]}, field, alone=alone)
    return None


def _declared(found: Found) -> list[Candidate]:
    """What the contract's facts name, as rows of their own."""
    rows = []
    for name, value in found.result.facts.items():
        values = value if isinstance(value, list) else [value]
        rows += [Candidate({name: one}) for one in values if isinstance(one, str | int)]
    return rows


def _stem(field: str) -> str:
    return bare(field).removesuffix("s").removesuffix("id")


# what the user is asked


def clarification_in(found: Found) -> Clarification | None:
    """The question in a result; None where it asks nothing.

    Where the contract declares what a result looks like, its data are data, unless they were
    judged to be a question.
    """
    if found.result.error_class != "need_user_input":
        known = _is_enforced(found.tool.returns) or not found.good
        if known or not isinstance(found.result.data, dict | str):
            return None
    return read_clarification(found.result.data, found.tool.name)


def _is_enforced(returns: object) -> bool:
    """Whether a result that came through has the declared shape: `dict` and the like are none."""
    return isinstance(returns, Mapping) or (isinstance(returns, type) and returns not in _LOOSE)


def open_question(found: Sequence[Found], said: Sequence[str]) -> Clarification | None:
    """The latest question that nobody has answered.

    It is answered by the user, or by a later result of the same tool or group that asks nothing
    more. A call that only takes one of the candidates, which the user never named, is a guess and
    answers nothing.
    """
    for at in range(len(found) - 1, -1, -1):
        asked = clarification_in(found[at])
        if asked is not None:
            later = found[at + 1 :]
            answered = any(_answers(one, found[at], asked, said) for one in later)
            return None if answered else asked
    return None


def _answers(one: Found, asker: Found, asked: Clarification, said: Sequence[str]) -> bool:
    if not one.good or one.empty or not related(one.tool, asker.tool):
        return False
    guessed = [option for option in asked.candidates if one.names(option.value)]
    named = {option.label for option in asked.candidates if _said(option.label, said)}
    alike = [option for option in asked.candidates if option.label in named]
    return all(
        _said(str(option.value), said) or (len(alike) == 1 and option in alike)
        for option in guessed
    )


def _said(text: str, said: Sequence[str]) -> bool:
    wanted = text.casefold()
    return any(wanted in one.casefold() for one in said)
