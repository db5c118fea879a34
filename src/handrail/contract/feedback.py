"""What the model reads when a call failed: `render` picks a form and makes it fit.

A message is collected and sanitised once (`sheet`), then written by a form (`forms`, `prose`,
`documents`) at ever smaller layouts (`layout.Level`) until it fits. If even the listing of paths
is too long, fewer issues are shown and the others counted. The same inputs give the same bytes,
and nothing that an issue, a tool or a model contains makes this raise.
Source: seed 004, FR-018..FR-025, FR-046..FR-055, NFR-001, NFR-005; the contract `handrail/1`,
section 4.
"""

from collections.abc import Callable, Iterable
from typing import Protocol

from handrail.contract.documents import as_json, as_problem
from handrail.contract.forms import compact, text
from handrail.contract.issue import Issue
from handrail.contract.layout import Draft, Level
from handrail.contract.policy import CEILINGS
from handrail.contract.prose import format_pydantic_for_llm, prose
from handrail.contract.sheet import Named, Sheet, sheet_of, tightened
from handrail.contract.tokens import count_tokens
from handrail.errors import ConfigError

__all__ = ["FORMS", "Judged", "Named", "fits_in", "format_pydantic_for_llm", "render", "written"]

_Write = Callable[[Draft], str]

_LEVELS = tuple(Level)

FORMS: dict[str, _Write] = {
    "text": text,
    "compact": compact,
    "prose": prose,
    "json": as_json,
    "problem": as_problem,
}
"""The forms by name."""


class Judged(Protocol):
    """A judgement as the renderer sees it.

    ``error_class: str | None`` (the verdict) and ``given: Mapping`` (the arguments as sent) are
    read where they exist.
    """

    @property
    def issues(self) -> Iterable[Issue]:
        """What was found."""


def render(
    judgement_or_issues: Judged | Iterable[Issue],
    *,
    tool: str | Named,
    attempt: int = 1,
    max_attempts: int = 3,
    form: str = "text",
    limit: int = 2000,
    max_issues: int = 10,
    max_preview: int = 100,
    token_counter: Callable[[str], int] | None = None,
    token_budget: int | None = None,
    repeated: bool = False,
) -> str:
    """The message for the model.

    Args:
        judgement_or_issues: A judgement, or its issues in any order.
        tool: The tool, or its name. A tool also gives intent, fields and its own words.
        attempt: Number of the attempt that failed, from 1.
        max_attempts: The attempts budget of the call.
        form: ``text``, ``compact``, ``prose``, ``json`` or ``problem``.
        limit: The message is shorter than this many characters (500..4000).
        max_issues: Items shown (1..20); the others are counted.
        max_preview: Characters of a value preview (10..1000).
        token_counter: Counts the tokens of a text; characters / 4 without one.
        token_budget: The message has at most this many tokens, if paths and call to action fit.
        repeated: Whether the same arguments came back unchanged.

    Raises:
        ConfigError: A setting is out of its range.
    """
    _check_form(form)
    _check_range("limit", limit, "max_message_length")
    _check_range("max_issues", max_issues, "max_errors_shown")
    _check_range("max_preview", max_preview, "max_value_preview")
    fits = fits_in(limit, token_counter, token_budget)
    return written(
        judgement_or_issues,
        tool,
        attempt,
        max_attempts,
        form,
        max_issues,
        max_preview,
        repeated,
        fits,
    )


def written(
    judgement_or_issues: Judged | Iterable[Issue],
    tool: str | Named,
    attempt: int,
    max_attempts: int,
    form: str,
    max_issues: int,
    max_preview: int,
    repeated: bool,
    fits: Callable[[str], bool],
) -> str:
    """`render` with settings that were checked before."""
    try:
        sheet = sheet_of(
            judgement_or_issues,
            tool,
            attempt=attempt,
            max_attempts=max_attempts,
            max_issues=max_issues,
            max_preview=max_preview,
            repeated=repeated,
            guide=attempt > 1 or form == "json",
        )
        return _fitted(sheet, FORMS[form], fits)
    except Exception:  # whatever a hostile object did, the model is still answered
        return FORMS[form](Draft(_blank(attempt, max_attempts), Level.PATHS, 0))


def _fitted(sheet: Sheet, write: _Write, fits: Callable[[str], bool]) -> str:
    """The first layout that fits, then the listing of ever fewer and then shorter paths."""
    total = len(sheet.lines)
    for level in _LEVELS:
        message = write(Draft(sheet, level, total))
        if fits(message):
            return message
    for smaller, least in ((sheet, 1), (tightened(sheet), 0)):
        for shown in range(total, least - 1, -1):
            message = write(Draft(smaller, Level.PATHS, shown))
            if fits(message):
                return message
    return message


def fits_in(
    limit: int, counter: Callable[[str], int] | None, budget: int | None
) -> Callable[[str], bool]:
    """Whether a message is within its bounds: characters, and tokens where they are counted."""

    def fits(message: str) -> bool:
        return len(message) < limit and (budget is None or count_tokens(message, counter) <= budget)

    return fits


def _blank(attempt: int, max_attempts: int) -> Sheet:
    """The sheet of a call about which nothing could be read."""
    return Sheet(
        tool="unknown",
        attempt=attempt,
        max_attempts=max_attempts,
        failed=True,
        spent=False,
        repeated=False,
        error_class="invalid_arguments",
        lines=(),
        hidden=0,
        intent="",
        fields=(),
        ready=None,
    )


def _check_form(form: str) -> None:
    if form not in FORMS:
        raise ConfigError(f"form is {form!r}: choose one of {', '.join(FORMS)}")


def _check_range(key: str, value: object, ceiling: str) -> None:
    low, high = int(CEILINGS[ceiling].low), int(CEILINGS[ceiling].high)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ConfigError(f"{key} is {value!r}: choose an integer from {low} to {high}")
