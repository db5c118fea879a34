"""A message shrinks in the order of the contract, and says at every level what must be said."""

from typing import Any

import pytest

from feedback_cases import WriteFile, many
from handrail.contract.forms import text
from handrail.contract.issue import Issue, Severity
from handrail.contract.layout import (
    Draft,
    Level,
    call_to_action,
    guidance,
    message,
    opening,
    places,
)
from handrail.contract.sheet import Line, Sheet, sheet_of


def sheet(attempt: int = 2, repeated: bool = True) -> Sheet:
    return sheet_of(
        many(),
        WriteFile(),
        attempt=attempt,
        max_attempts=3,
        max_issues=10,
        max_preview=100,
        repeated=repeated,
        guide=True,
    )


def test_layout_shrinks_before_content() -> None:
    """Each level drops exactly what the contract lists, in its order."""
    parts = ["\n\n", "actual: ", "Fields: ", "expected: ", "Required field"]
    kept = []
    for level in Level:
        found = text(Draft(sheet(), level, 5)).replace("Actual:", "actual:")
        found = found.replace("Expected:", "expected:")
        kept.append([part in found for part in parts])
    assert kept == [
        [True, True, True, True, True],
        [False, True, True, True, True],
        [False, False, True, True, True],
        [False, False, False, True, True],
        [False, False, False, False, True],
        [False, False, False, False, False],
    ]


def test_what_is_never_dropped() -> None:
    """Summary, shown paths with codes, a call to action."""
    for level in Level:
        found = text(Draft(sheet(), level, 5))
        assert found.startswith("Validation failed for tool 'write_file' (attempt 2/3):\n")
        assert "\nPlease correct" in found
        for line in sheet().lines:
            assert f"{line.path} ({line.code})" in found


def test_each_level_is_shorter() -> None:
    """Otherwise a level would be in vain."""
    lengths = [len(text(Draft(sheet(), level, 5))) for level in Level]
    assert lengths == sorted(lengths, reverse=True)


def test_fewer_shown_are_more_hidden() -> None:
    """Nothing disappears uncounted."""
    assert Draft(sheet(), Level.PATHS, 2).hidden == 3
    assert "\n... and 3 more\n" in text(Draft(sheet(), Level.PATHS, 2))


def test_a_spent_budget_is_not_a_matter_of_arguments() -> None:
    """The model is not asked to correct what is not wrong."""
    spent = sheet()._replace(spent=True)
    draft = Draft(spent, Level.NORMAL, 5)
    assert opening(draft)[0] == "Tool 'write_file' was not called (attempt 2/3):"
    assert call_to_action(draft).startswith("Do not send this call again")


AGAIN = "Validation failed for tool 'write_file' (attempt {}/3):"
LAST = "This was the last attempt. The user is told."
NEXT = "The next attempt is the last. After that the user is told."


@pytest.mark.parametrize(
    ("changes", "level", "expected"),
    [
        ({"attempt": 1}, Level.NORMAL, [AGAIN.format(1)]),
        ({}, Level.NORMAL, [AGAIN.format(2), NEXT]),
        ({}, Level.NO_HINTS, [AGAIN.format(2), NEXT]),
        ({}, Level.PATHS, [AGAIN.format(2)]),
        ({"attempt": 0, "max_attempts": 1}, Level.NORMAL,
         ["Validation failed for tool 'write_file' (attempt 0/1):"]),
        ({"attempt": 3}, Level.NORMAL, [AGAIN.format(3), LAST]),
        ({"attempt": 3}, Level.PATHS, [AGAIN.format(3)]),
        ({"repeated": True, "attempt": 1}, Level.NORMAL,
         [AGAIN.format(1),
          "The same arguments came back unchanged. Sent again, they will fail again."]),
        ({"repeated": True, "attempt": 1}, Level.PATHS,
         [AGAIN.format(1), "The same arguments came back unchanged."]),
        ({"error_class": "refused"}, Level.NORMAL, ["Tool 'write_file' was not called (refused):"]),
        ({"spent": True}, Level.NORMAL, ["Tool 'write_file' was not called (attempt 2/3):"]),
        ({"failed": False}, Level.NORMAL,
         ["Tool 'write_file' accepted the call, with warnings:"]),
        ({"failed": False, "lines": (), "hidden": 0}, Level.NORMAL,
         ["Tool 'write_file' accepted the call."]),
        ({"failed": False, "lines": (), "hidden": 2}, Level.NORMAL,
         ["Tool 'write_file' accepted the call, with warnings:"]),
    ],
)  # fmt: skip
def test_what_is_said_first(changes: dict[str, Any], level: Level, expected: list[str]) -> None:
    """The summary, whether arguments came back, how many attempts are left."""
    said = sheet(repeated=False)._replace(**changes)
    assert opening(Draft(said, level, len(said.lines))) == expected


HINTS = (
    "shorten /content to at most 1048576 characters; send /items/*/qty as an integer; "
    'add /path (string). Set /priority to "high".'
)


@pytest.mark.parametrize(
    ("changes", "level", "shown", "expected"),
    [
        ({}, Level.NO_INTENT, 5, f"Please correct and call again: {HINTS}"),
        ({}, Level.NO_HINTS, 5, "Please correct these arguments and call again."),
        ({"attempt": 3}, Level.NORMAL, 5,
         f"Stop calling this tool with these arguments and tell the user: {HINTS}"),
        ({"attempt": 3}, Level.NO_HINTS, 5,
         "Stop calling this tool with these arguments and tell the user."),
        ({"error_class": "refused"}, Level.NORMAL, 5, f"Make a new call: {HINTS}"),
        ({"error_class": "refused"}, Level.NO_HINTS, 5, "Do not send this call again."),
        ({"spent": True}, Level.NORMAL, 5,
         "Do not send this call again: use what you have, or tell the user."),
        ({"failed": False}, Level.NORMAL, 5,
         "The call was accepted: nothing has to be sent again."),
        ({"ready": "{}"}, Level.NO_INTENT, 5, "Call again with: {}"),
        ({"ready": "{}"}, Level.NO_HINTS, 5, "Please correct these arguments and call again."),
        ({"ready": "{}"}, Level.NORMAL, 1,
         "Please correct and call again: shorten /content to at most 1048576 characters."),
    ],
)  # fmt: skip
def test_what_is_said_last(
    changes: dict[str, Any], level: Level, shown: int, expected: str
) -> None:
    """Corrected arguments only where everything is shown that they correct."""
    assert call_to_action(Draft(sheet()._replace(**changes), level, shown)) == expected


def test_hints_are_clauses_before_sentences() -> None:
    """Each once; a preview that is cut ends no sentence; without a hint the place is named."""
    line = Line("VAL-001", "s", "/a", "m", Severity.ERROR, None, None, None)
    hints = ["Set it.", None, "use x...", "Set it.", "use x...", "Say so."]
    lines = [line._replace(hint=hint) for hint in hints]
    said = sheet()._replace(lines=(*lines, line._replace(path="")))
    assert call_to_action(Draft(said, Level.NORMAL, 7)) == (
        "Please correct and call again: correct /a; use x...; correct the arguments. "
        "Set it. Say so."
    )


def test_places_of_a_group() -> None:
    """The first of them, as long as there is room."""
    line = Line("VAL-001", "s", "/*", "m" * 90, Severity.ERROR, None, None, None)
    assert places(line, Level.NORMAL) == places(line, Level.NO_HINTS) == ""
    both = line._replace(times=2, places=("/0", "/1"))
    assert places(both, Level.NO_INTENT) == " (2 places: /0, /1)"
    assert places(both._replace(times=3), Level.NORMAL) == " (3 places: /0, /1, ...)"
    assert places(both, Level.NO_HINTS) == " (2 places)"
    assert message(line, Level.NO_INTENT) == line.message
    assert len(message(line, Level.NO_HINTS)) == 80


def test_guidance_is_what_is_known() -> None:
    """Intent, fields, both or none."""
    known = sheet()
    intent, fields = guidance(Draft(known, Level.NO_ACTUAL, 5))
    assert intent == "Intent: Create a file in the workspace, or replace one."
    assert fields.startswith("Fields: path (string, required), content (")
    assert guidance(Draft(known, Level.NO_INTENT, 5)) == []
    assert guidance(Draft(known._replace(intent=""), Level.NORMAL, 5)) == [fields]
    assert guidance(Draft(known._replace(fields=()), Level.NORMAL, 5)) == [intent]


def test_infos_stand_with_warnings() -> None:
    """Only errors have to be corrected."""
    info = Issue("MEND", "/z", "m", Severity.INFO)
    said = sheet_of(
        [info],
        WriteFile(),
        attempt=1,
        max_attempts=3,
        max_issues=10,
        max_preview=100,
        repeated=False,
        guide=False,
    )
    drafted = Draft(said, Level.NORMAL, 1)
    assert (drafted.errors, [line.path for line in drafted.warnings]) == ([], ["/z"])
