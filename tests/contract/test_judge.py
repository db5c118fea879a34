"""One judgement: parse, mend, validate, rules, screens and the author's check, in one go."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, field_serializer, field_validator

from handrail import Exclusive, Issue, Requires, Severity, Status, Tool
from handrail.contract.judge import Judgement, judge_input, with_findings
from handrail.contract.policy import FORMS, Settings
from handrail.contract.texts import feedback_text

SECRET = "sk-" + "a1B2c3D4" * 5
POLICY = Settings()


def note(title: str, body: str = "", count: int = 1) -> str:
    """Write a note."""
    return title + body * count


def tool(fn: Callable[..., Any] = note, **terms: object) -> Tool:
    """A tool that writes a note."""
    return Tool.from_function(fn, **{"action_type": "write", **terms})


def judged(arguments: Any, seen: Callable[[str], bool] = lambda _: False, **terms: object):  # type: ignore[no-untyped-def]  # a Judgement
    """The judgement of arguments of that tool."""
    return judge_input(tool(**terms), arguments, POLICY, seen)


def codes(judgement: Judgement) -> list[str]:
    """Codes in order."""
    return [issue.code for issue in judgement.issues]


# ---- verdicts


def test_a_valid_call_is_clean() -> None:
    """With the value, and what the handler gets."""
    found = judged('{"title": "a"}')
    assert (found.ok, found.error_class, found.issues, found.stage) == (True, None, (), "input")
    assert (found.value, found.prepared.title) == ({"title": "a"}, "a")


def test_an_invalid_call_lists_everything() -> None:
    """Schema, rule and screen in one judgement."""
    rule = Exclusive("body", "count")
    found = judged('{"body": "<REAL_TEXT>", "count": 2.5}', rules=[rule])
    assert (found.status, found.error_class) == (Status.INVALID, "invalid_arguments")
    assert sorted(codes(found)) == ["VAL-001", "VAL-002", "VAL-014", "VAL-016"]


def test_refused_wins_over_invalid() -> None:
    """An invented id refuses the call, and its other issues are listed too."""
    found = judged('{"title": "order-abc-123", "count": "x"}', ids=["title"])
    assert (found.status, found.error_class) == (Status.REFUSED, "refused")
    assert sorted(codes(found)) == ["VAL-002", "VAL-017"]


@pytest.mark.parametrize("arguments", ["", "null", None, {}])
def test_nothing_means_an_empty_object(arguments: Any) -> None:
    """The missing field is what is wrong, not the JSON."""
    assert codes(judged(arguments)) == ["VAL-001"]


@pytest.mark.parametrize(
    ("text", "code"),
    [('{"title": ', "VAL-011"), ("[1]", "VAL-004"), ('{"a":1,"a":2}', "VAL-004"), ("x", "VAL-004")],
)
def test_unreadable_arguments_are_invalid(text: str, code: str) -> None:
    """There is no value, and the text is kept for comparing."""
    found = judged(text)
    assert (codes(found), found.status, found.value) == ([code], Status.INVALID, None)
    assert found.text == text


def test_a_reply_cut_by_its_limit_is_never_run() -> None:
    """Even where what came is valid JSON; the operator is told, the model is not."""
    found = judge_input(tool(), '{"title": "a"}', POLICY, finish_reason="length")
    assert (codes(found), found.status) == (["VAL-011"], Status.INVALID)
    assert "max_tokens" in str(found.host_advice)
    assert "max_tokens" not in feedback_text(found, tool(), POLICY, attempt=1, max_attempts=3)


def test_a_broken_stream_is_never_judged_as_whole() -> None:
    """Even if the JSON happens to be whole; the operator is told that it was the stream."""
    found = judge_input(tool(), '{"title": "a"}', POLICY, finish_reason="interrupted")
    assert (codes(found), found.status, found.value) == (["VAL-011"], Status.INVALID, None)
    assert found.host_advice is not None
    assert found.host_advice.startswith("the stream broke off")


def test_other_finish_reasons_change_nothing() -> None:
    """Only the length limit cuts arguments."""
    assert judge_input(tool(), '{"title": "a"}', POLICY, finish_reason="stop").ok


@given(st.text(max_size=40) | st.binary(max_size=20) | st.none())
def test_whatever_a_model_sends_is_judged(arguments: Any) -> None:
    """Nothing raises, and errors and status agree."""
    found = judged(
        arguments, ids=["title"], rules=[Requires(when={"body": True}, fields=["count"])]
    )
    errors = [issue for issue in found.issues if issue.severity is Severity.ERROR]
    assert found.ok is (not errors)
    assert found.ok is (found.error_class is None)


# ---- screens


@pytest.mark.parametrize("text", ['{"title": "<ORDER_ID>"}', '{"title": "\\u003cORDER_ID>"}'])
def test_placeholders_are_found_however_they_are_spelt(text: str) -> None:
    """The quick look at the text must not miss an escape."""
    assert codes(judged(text)) == ["VAL-016"]


@pytest.mark.parametrize("field", ["thread_id", "thread\\u005fid"])
def test_ids_that_every_tool_has_are_screened(field: str) -> None:
    """Without being declared."""

    def read(thread_id: str) -> None:
        """Read a thread."""

    found = judged(f'{{"{field}": "thread-abc-123"}}', fn=read)
    assert (codes(found), found.status) == (["VAL-017"], Status.REFUSED)


def test_an_id_that_was_seen_is_never_flagged() -> None:
    """However invented it looks."""
    assert judged('{"title": "order-abc-123"}', lambda _: True, ids=["title"]).ok


@pytest.mark.parametrize(
    ("by_policy", "terms"), [(True, {"ids": ["title"]}), (False, {"seen_ids": ["title"]})]
)
def test_unseen_ids_are_refused_where_asked(by_policy: bool, terms: dict[str, Any]) -> None:
    """By the tool, or by the policy for every declared id."""
    policy = POLICY.replace(seen_ids=by_policy)
    found = judge_input(tool(**terms), '{"title": "77"}', policy, lambda _: False)
    assert (codes(found), found.status) == (["VAL-018"], Status.REFUSED)
    assert judge_input(tool(**terms), '{"title": "77"}', policy, lambda id: id == "77").ok


def test_where_nobody_knows_what_was_seen_nothing_is_called_unseen() -> None:
    """A logged call comes without its conversation."""
    assert judge_input(tool(seen_ids=["title"]), '{"title": "77"}', POLICY).ok


@pytest.mark.parametrize("form", FORMS)
def test_our_own_feedback_is_no_content_in_any_form(form: str) -> None:
    """A write that sends it back is stopped, a read is not."""
    bad = judged("{}")
    policy = Settings(form=form)  # type: ignore[arg-type]  # one of the forms
    text = feedback_text(bad, tool(), policy, attempt=1, max_attempts=3)
    assert "VAL-020" in codes(judged({"title": text}))
    assert judged({"title": text}, action_type="read").ok


# ---- the author's check


@pytest.mark.parametrize("said", [None, True, [], [None, None]])
def test_a_check_without_findings_passes(said: object) -> None:
    """None is the word; an empty list says the same."""
    assert judged('{"title": "a"}', check_input=lambda args: said).ok


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("too late", [("VAL-015", "", "too late")]),
        ("", [("VAL-015", "", "The arguments do not pass a check of the tool")]),
        (Issue("VAL-003", "/count", "too many"), [("VAL-003", "/count", "too many")]),
        (["x", Issue("VAL-003", "/a", "y")], [("VAL-015", "", "x"), ("VAL-003", "/a", "y")]),
        (42, [("VAL-015", "", "The arguments could not be checked")]),
        (False, [("VAL-015", "", "The arguments could not be checked")]),
    ],
)
def test_findings_become_errors(said: object, expected: list[tuple[str, str, str]]) -> None:
    """Text, an issue, a list of them; nonsense blocks, since nobody knows what it means."""
    found = judged('{"title": "a"}', check_input=lambda args: said)
    assert [(one.code, one.path, one.message) for one in found.issues] == expected
    assert found.status is Status.INVALID


def test_nonsense_is_told_to_the_operator() -> None:
    """What came, and what may come."""
    found = judged('{"title": "a"}', check_input=lambda args: 42)
    assert found.host_advice == "a check returned int, expected None, str, Issue or a list"


def test_a_check_that_raises_blocks_and_says_why_to_the_operator_only() -> None:
    """Its text reaches no model."""

    def check(args: dict[str, Any]) -> None:
        raise LookupError(f"db.internal {SECRET}")

    found = judged('{"title": "a"}', check_input=check)
    assert codes(found) == ["VAL-015"]
    assert "LookupError: db.internal" in str(found.host_advice)
    text = feedback_text(found, tool(), POLICY, attempt=1, max_attempts=3)
    assert "db.internal" not in text


def test_a_check_gets_what_was_read_and_only_if_it_is_valid() -> None:
    """Mended values; a broken object would break the check."""
    got: list[object] = []
    assert judged('{"title": "a", "count": "3"}', check_input=got.append).ok
    judged('{"count": 3}', check_input=got.append)
    assert got == [{"title": "a", "count": 3}]


async def late(args: dict[str, Any]) -> str:
    """An async check."""
    return "no"


def test_an_async_check_is_a_lookup() -> None:
    """The judgement waits for what the host finds."""
    found = judged('{"title": "a"}', check_input=late)
    assert (found.ok, found.lookups) == (True, (late,))
    done = with_findings(tool(check_input=late), found, ["no"])
    assert (codes(done), done.status, done.lookups) == (["VAL-015"], Status.INVALID, ())


def test_an_invalid_call_asks_no_lookup() -> None:
    """There is nothing to look up."""
    assert judged("{}", check_input=late).lookups == ()


class Strange(BaseModel):
    """A model whose validator breaks."""

    key: str

    @field_validator("key")
    @classmethod
    def known(cls, key: str) -> str:
        """Looks up what is not there."""
        return {}[key + "-secret"]


def test_a_validator_that_raises_key_error_is_a_safe_verdict() -> None:
    """The operator learns what it raised, the model that nothing was called."""
    one = Tool("t", "d", None, Strange)
    found = judge_input(one, '{"key": "k"}', POLICY)
    assert codes(found) == ["VAL-015"]
    assert found.host_advice == "a validator raised KeyError: 'k-secret'"
    assert "k-secret" not in feedback_text(found, one, POLICY, attempt=1, max_attempts=3)


# ---- reading a judgement


def test_the_key_knows_the_same_arguments_again() -> None:
    """Whatever the spelling; broken text by its text."""
    same = [judged('{"count": "x", "body": "b"}'), judged('{ "body":"b","count":"x" }')]
    assert same[0].key == same[1].key
    assert judged('{"count": "y"}').key != same[0].key
    assert judged('{"title"').key == judged('{"title"').key


def test_fields_at_fault_are_top_level() -> None:
    """Warnings do not count."""
    found = judged('{"title": 1, "count": "x"}', action_type="destructive")
    assert found.fields_at_fault == {"title", "count"}


def test_an_unknown_tool_is_refused() -> None:
    """Before anything is parsed."""
    found = Judgement.unknown_tool(Issue.of("VAL-019", tool="x", nearest=""))
    assert (found.ok, found.status, found.error_class) == (False, Status.REFUSED, "refused")


# ---- outputs


class Out(BaseModel):
    """A result."""

    n: int


class Broken(BaseModel):
    """A result that cannot be written."""

    n: int

    @field_serializer("n")
    def write(self, n: int) -> int:
        """Breaks."""
        raise RuntimeError("host db.internal")


@dataclass
class Row:
    """A result with something that is no value."""

    held: object


CLEAN = Judgement(value={})


@pytest.mark.parametrize(
    ("finish_reason", "status"), [(None, "ok"), ("stop", "ok"), ("length", "invalid")]
)
def test_broken_text_is_mended_unless_the_reply_was_cut(
    finish_reason: str | None, status: str
) -> None:
    """A reply that hit its limit is cut off, whatever its arguments look like."""
    text = '```json\n{"title": "a"}\n```'
    found = judge_input(tool(), text, POLICY, finish_reason=finish_reason)
    assert found.status == status
    assert [mend.kind for mend in found.mends] == (["fence"] if status == "ok" else [])
    assert [issue.code for issue in found.issues] == ["MEND" if status == "ok" else "VAL-011"]


def test_edits_are_proved_on_what_was_mended() -> None:
    """A fault that is read away takes no edit from the others."""
    schema = {
        "type": "object",
        "properties": {"user_id": {"type": "string"}, "unit": {"enum": ["celsius", "kelvin"]}},
        "additionalProperties": False,
    }
    one = Tool.from_json_schema("one", "One.", schema)
    found = judge_input(one, {"userId": "u", "unit": "celsus"}, POLICY)
    assert [mend.kind for mend in found.mends] == ["key_case"]
    assert [issue.code for issue in found.issues if issue.suggestion] == ["VAL-008"]
