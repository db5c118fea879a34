"""The tables as they are declared."""

from handrail.protocol.ledger import LedgerRow
from handrail.protocol.rows import ApprovalRow, CallCount, DocumentRow, EntryRow, EventRow
from handrail.stores import tables
from handrail.stores.tables import METADATA


def test_every_table_is_known_to_be_ours() -> None:
    """They may share a database with the host's own."""
    assert [name for name in METADATA.tables if not name.startswith("handrail_")] == []


def test_every_field_of_a_row_has_a_column() -> None:
    """Only the user of an approval has another name there."""
    pairs = [
        (EntryRow, tables.JOURNAL),
        (ApprovalRow, tables.APPROVALS),
        (CallCount, tables.CALLS),
        (LedgerRow, tables.LEDGER),
        (EventRow, tables.EVENTS),
        (DocumentRow, tables.DOCUMENTS),
    ]
    missing = {name for row, table in pairs for name in row._fields if name not in table.c}
    assert missing == {"user"}
    assert "owner" in tables.APPROVALS.c
