"""Fields are known by their names, failures by what they say of themselves."""

import pytest

from handrail.contract.telling import Field, fails, field_kind, is_id_value, is_primary


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("id", Field.ID),
        ("order_id", Field.ID),
        ("orderId", Field.ID),
        ("customerIDs", Field.ID),
        ("note_ids", Field.ID),
        ("sku", Field.ID),
        ("name", Field.NAME),
        ("first_name", Field.NAME),
        ("displayName", Field.NAME),
        ("error", Field.TELLING),
        ("suggestions", Field.TELLING),
        ("valid", Field.TELLING),
        ("paid", Field.PLAIN),
        ("kids", Field.PLAIN),
        ("monkey", Field.PLAIN),
        ("body", Field.PLAIN),
    ],
)
def test_what_a_field_is_for(name: str, kind: Field) -> None:
    """By its name alone."""
    assert field_kind(name) is kind


def test_the_contract_may_declare_more_ids() -> None:
    """As in `ids=` of a tool."""
    assert field_kind("booking", ["booking"]) is Field.ID


@pytest.mark.parametrize(
    ("value", "is_id"),
    [("O-1", True), (7, True), (True, False), (1.5, False), ("", False), ("x" * 300, False)],
)
def test_what_can_be_an_id(value: object, is_id: bool) -> None:
    """Short texts and whole numbers."""
    assert is_id_value(value) is is_id


def test_an_id_of_its_own_is_primary() -> None:
    """A foreign one is not."""
    assert (is_primary("id"), is_primary("customer_id")) == (True, False)


@pytest.mark.parametrize(
    "payload",
    [
        {"valid": False},
        {"success": False},
        {"ok": False},
        {"isError": True, "content": []},
        {"error": "no such order"},
        {"errors": [{"path": "/a"}]},
        {"status": "Failed"},
    ],
)
def test_what_fails(payload: dict[str, object]) -> None:
    """Each sign is enough."""
    assert fails(payload)


@pytest.mark.parametrize(
    "payload",
    [{}, {"error": None}, {"errors": []}, {"valid": True}, {"status": "open"}, {"isError": False}],
)
def test_what_does_not_fail(payload: dict[str, object]) -> None:
    """An empty error is none."""
    assert not fails(payload)
