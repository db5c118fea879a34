"""Exact edits for the commonest mistakes, and what is never part of one."""

from typing import Any

import pytest

from handrail.contract.explain import Spot, enum_issue, property_names, type_issue, unknown_issues
from operations import operations


def spot(value: Any, schema: dict[str, Any], name: str = "f") -> Spot:
    root = {"properties": {name: schema}}
    return Spot(root, {name: value}, (name,), schema, ("properties", name, "type"))


def test_json_in_a_string_is_an_exact_edit() -> None:
    """An array sent as text can be put in as it was meant."""
    issue = type_issue(spot('[{"a": 1}]', {"type": "array"}))
    assert issue.hint == "Send /f as an array, not as a string."
    assert issue.suggestion is not None
    assert issue.suggestion.ops == ({"op": "replace", "path": "/f", "value": [{"a": 1}]},)


def test_a_secret_is_in_no_edit_and_no_preview() -> None:
    """What the redactor would touch gives no suggestion."""
    issue = type_issue(spot('["hunter2"]', {"type": "array"}, "password"))
    assert issue.suggestion is None
    assert "hunter2" not in repr(issue)
    assert "hunter2" not in repr(enum_issue(spot("hunter2", {}, "password"), ["a", "b"]))


def test_null_for_an_optional_field_is_removed() -> None:
    """Null where the field may be absent has an exact edit; where it is required it has none."""
    assert type_issue(spot(None, {"type": "string"})).hint == "Remove /f."
    needed = Spot({"properties": {"f": {"type": "string"}}, "required": ["f"]}, {"f": None},
                  ("f",), {"type": "string"}, ("properties", "f", "type"))  # fmt: skip
    assert type_issue(needed).hint == "send /f as string"


@pytest.mark.parametrize(
    ("value", "options", "hint"),
    [
        ("HIGH", ["low", "high"], 'Set /f to "high".'),
        ("hihg", ["low", "high"], 'Set /f to "high".'),
        ("blue", ["low", "high"], "set /f to one of: low, high"),
        ("aab", ["aaa", "aac"], "set /f to one of: aaa, aac"),
        (5, [1, 2], "set /f to one of: 1, 2"),
    ],
)
def test_enum_edits(value: object, options: list[Any], hint: str) -> None:
    """One near option is an edit; none or two are a choice."""
    assert enum_issue(spot(value, {}), options).hint == hint


def test_long_lists_are_counted() -> None:
    """Ten options are shown, the nearest first, and the rest are counted."""
    issue = enum_issue(spot("opt57x", {}), [f"opt{number}" for number in range(100)])
    assert issue.expected is not None
    assert issue.expected.startswith("one of: opt57, ")
    assert issue.expected.endswith(" and 90 more")


def test_two_names_for_one_field_are_not_renamed() -> None:
    """Where two unknown fields could be the same one, neither is renamed."""
    schema = {"properties": {"user_id": {"type": "string"}}}
    here = Spot(schema, {"userId": "a", "UserID": "b"}, (), schema, ())
    hints = [issue.hint for issue in unknown_issues(here, ["userId", "UserID"])]
    assert hints == ["Remove /userId.", "Remove /UserID."]


def test_names_of_combined_schemas() -> None:
    """The fields of ``allOf`` and of references count as known."""
    schema = {"allOf": [{"$ref": "#/$defs/a"}, {"properties": {"y": {}, "no": False}}],
              "$defs": {"a": {"properties": {"x": {}}}}}  # fmt: skip
    assert property_names(schema, schema) == ["x", "y"]


def test_names_cannot_forge_a_line() -> None:
    """A field name with a line break stays on one line in every text."""
    name = "x\n• /y (VAL-001)"
    issue = unknown_issues(Spot({}, {name: 1}, (), {}, ()), [name])[0]
    texts = f"{issue.message}{issue.expected}{issue.hint}"
    assert not {"\n", "•"} & set(texts)


class Compared(str):
    """A name that counts how often it was compared."""

    __slots__ = ()
    times = 0

    def __str__(self) -> str:
        return self

    def __eq__(self, other: object) -> bool:
        Compared.times += 1
        return str.__eq__(self, other) is True

    __hash__ = str.__hash__


def test_thousands_of_unknown_fields_are_not_compared_with_each_other() -> None:
    """Half of them look like the one absent field; the work for each is the same."""

    def work(count: int) -> int:
        names = [f"{kind}{at}" for at in range(count) for kind in ("customer_identity_", "x")]
        fields = {"properties": {Compared("customer_identity_n"): {}}}
        return operations(
            lambda: unknown_issues(Spot({}, dict.fromkeys(names, 1), (), fields, ()), names)
        )

    assert work(1_000) <= 5 * work(250)
    Compared.times = 0
    work(1_000)
    assert Compared.times < 20 * 1_000
