"""A table in memory that can be put back."""

from hypothesis import given
from hypothesis import strategies as st

from handrail.stores.table import Table

CHANGES = st.lists(st.tuples(st.sampled_from("pd"), st.integers(0, 5), st.integers()))


def changed(table: Table[int, int], changes: list[tuple[str, int, int]]) -> None:
    """Put and drop."""
    for what, key, row in changes:
        if what == "p":
            table.put(key, row)
        else:
            table.drop(key)


@given(CHANGES, CHANGES)
def test_undo_is_exact(
    before: list[tuple[str, int, int]], after: list[tuple[str, int, int]]
) -> None:
    """Rows and their order are those of the last `keep`."""
    table: Table[int, int] = Table()
    changed(table, before)
    table.keep()
    rows = list(table.items())
    changed(table, after)
    table.undo()
    assert list(table.items()) == rows


def test_rows_keep_the_place_of_their_first_put() -> None:
    """Replacing a row does not move it; dropping it does."""
    table: Table[str, int] = Table()
    assert table.newest() is None
    for key in "abc":
        table.put(key, ord(key))
    table.put("a", 1)
    assert (list(table.rows()), table.newest(), len(table)) == ([1, 98, 99], 99, 3)
    assert (table.drop("a"), table.drop("a"), table.get("a")) == (True, False, None)
    table.put("a", 2)
    assert list(table.rows()) == [98, 99, 2]
