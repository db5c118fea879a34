"""A message shrinks in the order of the contract, and says at every level what must be said."""

from feedback_cases import WriteFile, many
from handrail.contract.forms import text
from handrail.contract.layout import Draft, Level, call_to_action, opening
from handrail.contract.sheet import Sheet, sheet_of


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
