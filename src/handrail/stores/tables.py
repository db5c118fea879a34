"""The tables, as the newest migration leaves them.

JSON is kept as ASCII text, in the same bytes on every database: what was approved and what was
hashed must come back as it was. Names are compared by code point everywhere.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    false,
)

__all__: list[str] = []

METADATA = MetaData()

_TEXT = Text().with_variant(Text(collation="C"), "postgresql")
_NUMBER = BigInteger().with_variant(Integer(), "sqlite")
"""SQLite's own row number is an INTEGER, of 64 bits."""

JOURNAL = Table(
    "handrail_journal",
    METADATA,
    Column("number", _NUMBER, primary_key=True, autoincrement=True),
    Column("id", _TEXT, nullable=False, unique=True),
    Column("exchange", _TEXT, nullable=False),
    Column("tool", _TEXT, nullable=False),
    Column("kind", _TEXT, nullable=False),
    Column("at", Double, nullable=False),
    Column("version", Integer, nullable=False),
    Column("body", _TEXT, nullable=False),
    Index("handrail_journal_exchange", "exchange", "kind"),
    Index("handrail_journal_kind", "kind", "number"),
    sqlite_autoincrement=True,
)

APPROVALS = Table(
    "handrail_approvals",
    METADATA,
    Column("id", _TEXT, primary_key=True),
    Column("owner", _TEXT, nullable=True),
    Column("tool", _TEXT, nullable=False),
    Column("arguments", _TEXT, nullable=False),
    Column("hash", _TEXT, nullable=False),
    Column("fingerprint", _TEXT, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("expires_at", Double, nullable=False),
    Column("turn_key", _TEXT, nullable=False),
    Column("slot", _TEXT, nullable=False),
    Column("status", _TEXT, nullable=False),
    Column("decided_at", Double, nullable=True),
    Column("decided_by", _TEXT, nullable=True),
    Column("reason", _TEXT, nullable=False),
    Index("handrail_approvals_open", "status", "created_at"),
)

BUDGETS = Table(
    "handrail_budgets",
    METADATA,
    Column("scope", _TEXT, primary_key=True),
    Column("name", _TEXT, primary_key=True),
    Column("spent", BigInteger, nullable=False),
    Column("at", Double, nullable=False),
)

CALLS = Table(
    "handrail_calls",
    METADATA,
    Column("scope", _TEXT, primary_key=True),
    Column("name", _TEXT, primary_key=True),
    Column("standing", Integer, nullable=False),
    Column("running", Integer, nullable=False),
    Column("runs", BigInteger, nullable=False),
    Column("mark", _TEXT, nullable=False),
    Column("epoch", BigInteger, nullable=False),
    Column("at", Double, nullable=False),
)

EPOCHS = Table(
    "handrail_epochs",
    METADATA,
    Column("scope", _TEXT, primary_key=True),
    Column("epoch", BigInteger, nullable=False),
    Column("at", Double, nullable=False),
)

LEDGER = Table(
    "handrail_ledger",
    METADATA,
    Column("number", _NUMBER, primary_key=True, autoincrement=False),
    Column("id", _TEXT, nullable=False, unique=True),
    Column("at", Double, nullable=False),
    Column("user", _TEXT, nullable=False),
    Column("app", _TEXT, nullable=False),
    Column("tool", _TEXT, nullable=False),
    Column("status", _TEXT, nullable=False),
    Column("text", _TEXT, nullable=False),
    Column("prev_hash", _TEXT, nullable=False),
    Column("hash", _TEXT, nullable=False),
    Index("handrail_ledger_user", "user", "number"),
    Index("handrail_ledger_tool", "tool", "number"),
    Index("handrail_ledger_at", "at"),
)

LEDGER_HEAD = Table(
    "handrail_ledger_head",
    METADATA,
    Column("one", Integer, primary_key=True, autoincrement=False),
    Column("number", BigInteger, nullable=False),
    Column("hash", _TEXT, nullable=False),
)
"""One row: where the chain ends, and what its writers wait for."""

EVENTS = Table(
    "handrail_events",
    METADATA,
    Column("number", _NUMBER, primary_key=True, autoincrement=True),
    Column("id", _TEXT, nullable=False, unique=True),
    Column("type", _TEXT, nullable=False),
    Column("payload", _TEXT, nullable=False),
    Column("at", Double, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("next_at", Double, nullable=False),
    Column("parked", Boolean, nullable=False, server_default=false()),
    Column("error", _TEXT, nullable=False),
    Index("handrail_events_due", "parked", "next_at"),
    sqlite_autoincrement=True,
)

DOCUMENTS = Table(
    "handrail_documents",
    METADATA,
    Column("app", _TEXT, primary_key=True),
    Column("user", _TEXT, primary_key=True),
    Column("collection", _TEXT, primary_key=True),
    Column("id", _TEXT, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("data", _TEXT, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("updated_at", Double, nullable=False),
)

CACHE = Table(
    "handrail_cache",
    METADATA,
    Column("app", _TEXT, primary_key=True),
    Column("user", _TEXT, primary_key=True),
    Column("key", _TEXT, primary_key=True),
    Column("value", _TEXT, nullable=False),
    Column("expires_at", Double, nullable=True),
    Index("handrail_cache_expiry", "expires_at"),
)
