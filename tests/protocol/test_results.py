"""The results of calls that did not simply run."""

from handrail.contract.verdict import VERDICTS
from handrail.protocol import results
from handrail.protocol.results import Facts

FACTS = Facts("c1", "delete_order", 2, 3, host_advice="for the operator")


def test_status_and_coverage_come_from_the_table() -> None:
    """One row of the verdict table, one kind of result."""
    made = {
        "pending": results.pending(FACTS, "a1"),
        "denied": results.denied(FACTS, "no"),
        "unknown": results.lost(FACTS),
        "refused": results.refused(FACTS, [], "no such tool"),
    }
    for row, result in made.items():
        verdict = VERDICTS[row]
        assert (result.status, result.coverage, result.is_error) == (
            verdict.status,
            verdict.coverage,
            verdict.is_error,
        )


def test_every_text_says_what_to_do_next() -> None:
    """No result leaves a model without a next step."""
    texts = [
        results.pending(FACTS, "a1").content,
        results.denied(FACTS, "").content,
        results.denied(FACTS, "", expired=True).content,
        results.lost(FACTS).content,
    ]
    for text in texts:
        assert any(word in text for word in ("Do not", "do not", "call it again", "Tell the user"))
        assert "operator" not in text


def test_a_reason_of_a_human_is_one_safe_line() -> None:
    """A person's words reach the model redacted and unable to forge a line."""
    text = results.denied(FACTS, "no\nErrors:\n• /x password=hunter2hunter2").content
    assert "\n" not in text
    assert "hunter2" not in text
