"""Screens: invented values, ids, error texts and tools."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.contract.feedback import render
from handrail.contract.issue import CODES, Issue, Severity
from handrail.contract.screens import (
    ALWAYS_IDS,
    LIMIT,
    echo_of,
    echoes_of,
    error_echoes,
    fabricated_ids,
    id_patterns,
    is_error_text,
    placeholders,
    unknown_tool,
    unseen_ids,
)
from operations import operations

FEEDBACK = """Validation failed for tool 'write_file' (attempt 1/3):

Errors:
• /path (VAL-001): Required field 'path' is missing
  Expected: string

Please correct and call again: add /path (string)."""
AS_JSON = json.dumps({"valid": False, "format": "handrail/1", "tool": "write_file", "issues": []})
AS_PROBLEM = json.dumps({"type": "urn:handrail:invalid_arguments", "status": 422})
ENVELOPE = json.dumps({"RESULT": "ERROR", "error_code": "VALIDATION_MISSING_FIELD"})
ESCALATION = "Tool 'read_file' validation failed after 3 attempts.\n\nAttempt 1: ..."
REFUSED = "Tool 'send_mail' was not called (attempt 1/3):\n\n- (root): already sent"
TEXTS = [FEEDBACK, REFUSED, AS_JSON, AS_PROBLEM, ENVELOPE, ESCALATION]

NONE = id_patterns(())
ORDERS = id_patterns({"order_id": r"C-\d{4}"})

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["message_id", "order_id", "x"]), inner)
    ),
    max_leaves=15,
)


def never(text: str) -> bool:
    """Nothing was seen."""
    return False


def always(text: str) -> bool:
    """Everything was seen."""
    return True


def told(issues: list[Issue]) -> list[tuple[str, str, str, str | None]]:
    """What an issue says, without its previews."""
    return [(issue.code, issue.path, issue.message, issue.hint) for issue in issues]


@pytest.mark.parametrize(
    "text",
    ["<ORDER_ID>", "<YOUR-NAME>", "<API KEY 2>", "<X>", " <ID>\n", "<НОМЕР_ЗАКАЗА>", "<2ND_NAME>"],
)
def test_a_placeholder_is_no_value(text: str) -> None:
    """Upper case between angle brackets, and nothing else."""
    assert [issue.code for issue in placeholders({"a": [{"b": text}]})] == ["VAL-016"]


@pytest.mark.parametrize(
    "text",
    [
        "<order_id>",
        "<Order>",
        "<ID> please",
        "<A><B>",
        "<A>\n<B>",
        "a <ID>",
        "ID",
        "<>",
        "< >",
        "<12>",
        "<_>",
        "<A/>",
        "<!DOCTYPE>",
        "{{ORDER_ID}}",
        "x < Y and Z > 2",
        "<" + "A" * 200 + ">",
    ],
)
def test_other_angle_brackets_are_content(text: str) -> None:
    """Markup, comparisons and lower case pass."""
    assert placeholders({"a": text, "<KEY>": 1}) == []


def test_a_placeholder_sends_the_model_to_the_user() -> None:
    """The issue says where, what, and whom to ask."""
    assert told(placeholders({"items": [{"id": "<ITEM_ID>"}]})) == [
        (
            "VAL-016",
            "/items/0/id",
            "Value is the placeholder <ITEM_ID>, not a real value",
            "ask the user for the real value of /items/0/id",
        )
    ]


@pytest.mark.parametrize("name", sorted(ALWAYS_IDS))
def test_mail_ids_are_screened_undeclared(name: str) -> None:
    """The four fields of I-AH-1, at any depth, lists of ids too."""
    value = {"batch": [{name: ["gmail-inbox-4", "18c2ffaa0b1d"]}]}
    assert told(fabricated_ids(value, NONE, never)) == [
        (
            "VAL-017",
            f"/batch/0/{name}/0",
            "'gmail-inbox-4' looks like an invented id",
            f"use a tool that returns real ids to find /batch/0/{name}/0",
        )
    ]


@pytest.mark.parametrize(
    "text",
    [
        "red-shoe-123",
        "project-kick-off-001",
        "office365-mail-7",
        "Order-Item-1",
        "été-fini-12",
    ],
)
def test_invented_slugs_are_found(text: str) -> None:
    """Words joined by hyphens, then a number."""
    assert len(fabricated_ids({"order_id": text}, id_patterns(["order_id"]), never)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "C-9921",
        "#W2890441",
        "L1001",
        "sofia_kim_7287",
        "gift_card_7480005",
        "550e8400-e29b-41d4-a716-446655440000",
        "abcdefab-abcd-abcd-abcd-123456789012",
        "1973fe6c1234abcd",
        "AAMkADExMzNk-OWZmLTAy_MDUt==",
        "<abc-def-1@mail.example.com>",
        "task-run-1700000000",
        "a-b-1",
        "mail-7",
        "read-me-first",
        "word-word-12x",
        "word--word-12",
        "word-word-12\n",
        "see word-word-12",
        "2026-05-03",
        "",
    ],
)
def test_real_looking_ids_pass(text: str) -> None:
    """Shapes that real systems mint, and text that only contains a slug."""
    value = {"order_id": text, "message_id": text}
    assert fabricated_ids(value, id_patterns("order_id"), never) == []


def test_undeclared_fields_are_not_screened() -> None:
    """A slug in a title, a branch or another tool's id is not our business."""
    assert fabricated_ids({"branch": "fix-login-12", "note_id": "a-note-12"}, NONE, never) == []


def test_a_seen_id_is_never_flagged() -> None:
    """What a tool returned is real, whatever it looks like."""
    value = {"order_id": "not-the-pattern", "message_id": "gmail-inbox-4"}
    assert fabricated_ids(value, ORDERS, always) == []


def test_an_own_pattern_replaces_the_shape() -> None:
    """What matches passes, a slug included; what does not is reported with the pattern."""
    slugs = id_patterns({"order_id": r"[a-z]+-[a-z]+-\d+"})
    assert fabricated_ids({"order_id": "red-shoe-12"}, slugs, never) == []
    [issue] = fabricated_ids({"order_id": "9921"}, ORDERS, never)
    assert (issue.code, issue.expected, issue.actual) == (
        "VAL-017",
        r"id with pattern C-\d{4}",
        '"9921"',
    )


@pytest.mark.parametrize(
    ("pattern", "value", "real"),
    [
        (r"C-\d{4}", "C-1234", True),
        (r"C-\d{4}", "C-1234\n", False),
        (r"C-\d{4}", "xC-1234", False),
        (r"a|bc", "bc", True),
        (r"a|bc", "abc", False),
        (r"\d{4}", 1234, True),
        (r"\d{4}", 1234.0, True),
        (r"\d{4}", 12, False),
        (r"\d{4}", True, True),
        (r"\d{4}", None, True),
        (r"(?!0)\d+", "7", True),
        (r"(?!0)\d+", "07", False),
        (re.compile(r"c-\d", re.IGNORECASE), "C-1", True),
        (re.compile(r"c-\d"), "C-1", False),
        (r"C-\d{4}", "\ud800", False),
    ],
)
def test_patterns_match_from_end_to_end(
    pattern: str | re.Pattern[str], value: object, real: bool
) -> None:
    """Numbers by their text; booleans and null are no ids."""
    ids = id_patterns({"order_id": pattern})
    assert (fabricated_ids({"order_id": value}, ids, never) == []) == real


@pytest.mark.parametrize("ids", [{"a": "("}, {"a": 3}, {"": None}, {3: None}])
def test_bad_id_declarations_are_refused(ids: dict[str, str | None]) -> None:
    """A fault of the author is a ValueError in plain words, at declaration."""
    with pytest.raises(ValueError, match=r"ids takes names|the id pattern of 'a'"):
        id_patterns(ids)


def test_unseen_ids_ask_for_provenance() -> None:
    """Only the given fields, numbers by their text, and no empty ones."""
    value = {"order_id": ["C-1", 7, 8, "", None], "other_id": "x"}
    assert told(unseen_ids(value, ["order_id"], {"7", "9"}.__contains__)) == [
        (
            "VAL-018",
            f"/order_id/{position}",
            f"'{shown}' was not given by the user or returned by any tool",
            f"use a tool that returns real ids to find /order_id/{position}",
        )
        for position, shown in [(0, "C-1"), (2, "8")]
    ]


@pytest.mark.parametrize("text", [*TEXTS, f"\n {FEEDBACK} "])
def test_our_own_texts_are_recognised(text: str) -> None:
    """Each form of feedback, white space aside."""
    assert (is_error_text(text), echo_of(text)) == (True, "is")


@pytest.mark.parametrize("form", ["text", "compact", "prose", "json", "problem"])
@pytest.mark.parametrize("code", ["VAL-001", "VAL-019", "BUD-002"])
def test_what_the_renderers_write_is_recognised(form: str, code: str) -> None:
    """The openings here are those of the feedback as it is rendered today."""
    words = {"field": "path", "tool": "x", "nearest": "", "spent": 3}
    issue = Issue(code, "/path", CODES[code].message.format(**words))
    assert echo_of(render([issue], tool="write_file", form=form)) == "is"


@pytest.mark.parametrize(
    "text",
    [
        "/path (VAL-001): Required field 'path' is missing",
        "• /items/*/qty (VAL-003): Value out of range",
        "(root) (VAL-013): One of 'a', 'b' is required",
        "VAL-001: Required field 'path' is missing",
    ],
)
def test_a_single_line_of_feedback_is_recognised(text: str) -> None:
    """Models copy a line as well as the whole."""
    assert echo_of(text) == "is"


@pytest.mark.parametrize("text", TEXTS[:-1])
def test_a_quotation_is_a_warning(text: str) -> None:
    """A bug report may hold an error text; a log entry may nest one."""
    quoted = f"The agent said:\n\n{text}\n\nWhat now?"
    assert (echo_of(quoted), echo_of(json.dumps({"log": [text]}))) == ("contains", "contains")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "VAL-001",
        "VAL-001: improve the docs",
        "Validation failed for the form",
        "Validation failed",
        "Required field 'path' is missing",
        "def handrail(): ...",
        '{"format": "csv", "type": "urn:isbn:1"}',
        '{"RESULT": "OK"}',
        "{" * 5_000,
        "see /path (VAL-x)",
    ],
)
def test_ordinary_content_is_no_echo(text: str) -> None:
    """Words that we use too are not ours alone."""
    assert (is_error_text(text), echo_of(text)) == (False, None)


def test_what_is_longer_than_any_feedback_only_contains_one() -> None:
    """A document that opens with a quotation is still a document."""
    assert echo_of(FEEDBACK + "\n\nMy analysis. " * 400) == "contains"


def test_an_echo_blocks_and_a_quotation_warns() -> None:
    """Severity, place and hint of both."""
    issues = error_echoes({"content": AS_JSON, "notes": [f"Saw this: {FEEDBACK}"], "n": 3})
    assert [(issue.severity, *told([issue])[0]) for issue in issues] == [
        (
            Severity.ERROR,
            "VAL-020",
            "/content",
            "The value repeats an error message instead of real content",
            "send the real content of /content, not the error message",
        ),
        (
            Severity.WARNING,
            "VAL-020",
            "/notes/0",
            "The value contains the text of an error message",
            "check that /notes/0 is meant to quote an error message",
        ),
    ]


def test_texts_that_were_shown_are_known_exactly() -> None:
    """A turn's own texts count too, white space aside, and short ones do not."""
    echo = echoes_of(["The order  is\nalready closed.", "ok"])
    assert [
        echo(text)
        for text in (" The order is already closed.", "He said: The order is already closed.", "ok")
    ] == ["is", "contains", None]
    assert [echo(FEEDBACK), echo("The order is closed.")] == ["is", None]


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("searchOrders", "search_orders"),
        ("search-orders", "search_orders"),
        ("orders_search", "search_orders"),
        ("ordersSearch", "search_orders"),
        ("functions.search_orders", "search_orders"),
        ("serach_order", "search_orders"),
        ("get_wether", "get_weather"),
        ("weather", "get_weather"),
        ("cancel", "cancel_order"),
    ],
)
def test_the_nearest_tool_comes_first(name: str, first: str) -> None:
    """Case, separators, order of words and slips of the finger do not matter."""
    names = [
        "orders_searched",
        "get_user",
        "cancel_order",
        "get_weather",
        "search_orders",
        "list_files",
        "send_mail",
    ]
    issue = unknown_tool(name, names)
    assert issue.message.split("Nearest: ")[1].split(", ")[0] == first


def test_an_unknown_tool_in_words() -> None:
    """The whole message and the hint, with what is not near left out."""
    names = ["list_files", "search_orders", "search_users", "toggle_lamp"]
    assert told([unknown_tool("find_orders", names)]) == [
        (
            "VAL-019",
            "",
            "There is no tool 'find_orders'. Nearest: search_orders",
            "use search_orders",
        )
    ]
    assert told([unknown_tool("search", names)])[0][2:] == (
        "There is no tool 'search'. Nearest: search_users, search_orders",
        "use one of search_users, search_orders",
    )


def test_without_tools_nothing_is_suggested() -> None:
    """An empty list gives a plain sentence."""
    issue = unknown_tool("x", [])
    assert (issue.message, issue.hint) == ("There is no tool 'x'", "answer without a tool")


@given(st.text(max_size=20), st.lists(st.from_regex(r"[a-z]{2,4}(_[a-z]{2,4})?", fullmatch=True)))
def test_at_most_five_names_are_shown(name: str, names: list[str]) -> None:
    """Never the whole of a longer list, and only names that exist."""
    issue = unknown_tool(name, names)
    shown = issue.message.rsplit("Nearest: ", 1)[-1].split(", ") if names else []
    assert len(shown) <= 5
    assert set(shown) <= set(names)
    assert "\n" not in issue.message


@given(JSON)
def test_screens_never_raise_and_point_into_the_arguments(value: object) -> None:
    """Any JSON value has an answer, and what was seen is never flagged."""
    value = {"root": value}
    found = [
        *placeholders(value),
        *fabricated_ids(value, ORDERS, never),
        *unseen_ids(value, ["order_id"], never),
        *error_echoes(value),
    ]
    assert all(issue.path.startswith("/root") for issue in found)
    assert fabricated_ids(value, ORDERS, always) == unseen_ids(value, ["order_id"], always) == []


@given(st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False))
def test_equal_numbers_are_one_id(number: float) -> None:
    """1 and 1.0 have the same text, so either is seen when the other is."""
    twin = int(number) if float(number) == int(number) else number
    texts: set[str] = set()

    def collect(text: str) -> bool:
        texts.add(text)
        return False

    unseen_ids({"a": [number, twin]}, ["a"], collect)
    assert len(texts) == 1


def test_findings_are_bounded() -> None:
    """A megabyte of placeholders is reported up to the limit."""
    assert len(placeholders(["<A>"] * 200_000)) == LIMIT


def test_secrets_stay_out_of_the_texts() -> None:
    """A value under a secret name is not shown, however deep it lies."""
    found = [
        *placeholders({"password": ["<HUNTER>"]}),
        *unseen_ids({"api_key": {"order_id": "hunter"}}, ["order_id"], never),
    ]
    assert [issue for issue in found if "hunter" in repr(issue).casefold()] == []
    assert len(found) == 2


def test_no_value_forges_a_line() -> None:
    """Line breaks in names, values and tools are escaped."""
    value = {"a\nb": {"order_id": "x\nErrors:\n• /a"}}
    issues = [*unseen_ids(value, ["order_id"], never), unknown_tool("a\nb", ["c\nd"])]
    texts = [f"{issue.message}{issue.hint}{issue.actual}" for issue in issues]
    assert [text for text in texts if "\n" in text] == []


def test_deep_and_huge_values_are_little_work() -> None:
    """A thousand levels, megabyte strings and hostile patterns."""
    deep: object = {"message_id": "gmail-inbox-4"}
    for _ in range(1_000):
        deep = [deep]
    huge = {
        "order_id": "a" * 1_000_000,
        "b": "<A " * 300_000,
        "c": "(VAL-/a" * 140_000,
        "message_id": "word-" * 200_000,
    }
    slow = id_patterns({"order_id": r"(a+)+b"})
    assert len(fabricated_ids(deep, NONE, never)) == 1
    assert (placeholders(huge), error_echoes(huge)) == ([], [])
    assert [issue.path for issue in fabricated_ids(huge, slow, never)] == ["/order_id"]
    assert operations(lambda: fabricated_ids(deep, NONE, never)) < 20 * 1_000
    assert operations(lambda: (placeholders(huge), error_echoes(huge))) < 2_000
    assert operations(lambda: fabricated_ids(huge, slow, never)) < 2_000
