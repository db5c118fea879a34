"""Which JSON value says what a lax reading understood."""

from typing import Any

import pytest

from handrail.contract.lax import changes_of


@pytest.mark.parametrize(
    ("before", "kind", "after"),
    [
        ("30", "int_type", 30),
        ("x", "int_type", "x"),
        (3.0, "int_from_float", 3),
        ("1.5", "float_type", 1.5),
        ("yes", "bool_type", True),
        (5, "string_type", "5"),
        ("2026-05-03", "datetime_parsing", "2026-05-03T00:00:00"),
        (0, "datetime_type", "1970-01-01T00:00:00Z"),
        (86400, "date_type", "1970-01-02"),
        (90, "time_delta_type", "PT1M30S"),
        ("x", "url_scheme", "x"),
    ],
)
def test_rows(before: Any, kind: str, after: Any) -> None:
    """The lax reading of the one type that was wanted, in JSON; else the value as given."""
    value = {"a": [before]}
    patched, changes = changes_of(value, [(("a", 0), {"type": kind})], {})
    assert changes == (("/a/0", before, after),)
    assert (patched, value) == ({"a": [after]}, {"a": [before]})


def test_listed_values() -> None:
    """A literal that Python takes for another JSON value becomes that value."""
    schema = {"properties": {"a": {"enum": [1, "x"]}}}
    detail = {"type": "literal_error"}
    assert changes_of({"a": True}, [(("a",), detail)], schema)[0] == {"a": 1}
    assert changes_of({"a": "1"}, [(("a",), detail)], schema)[0] == {"a": 1}


def test_the_first_branch_that_reads_it_wins() -> None:
    """Of several errors at one place the first with a reading is taken."""
    errors = [(("a",), {"type": "url_type"}), (("a",), {"type": "int_type"}),
              (("a",), {"type": "string_type"})]  # fmt: skip
    assert changes_of({"a": "5"}, errors, {})[1] == (("/a", "5", 5),)
