"""The first schema."""

from alembic import op
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    Integer,
    Text,
    false,
    text,
)

__all__ = ["downgrade", "upgrade"]

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_TEXT = Text().with_variant(Text(collation="C"), "postgresql")
_NUMBER = BigInteger().with_variant(Integer(), "sqlite")


def upgrade() -> None:
    """Create everything."""
    _journal()
    _approvals()
    _budgets()
    _calls()
    _epochs()
    _ledger()
    _ledger_head()
    _events()
    _documents()
    _cache()
    op.execute(
        text(
            "INSERT INTO handrail_ledger_head (one, number, hash) VALUES (1, 0, :hash)"
        ).bindparams(hash="0" * 64)
    )


def downgrade() -> None:
    """There is nothing below the first schema.

    Raises:
        NotImplementedError: Always.
    """
    raise NotImplementedError("there is no way down from the first schema")


def _journal() -> None:
    op.create_table(
        "handrail_journal",
        Column("number", _NUMBER, primary_key=True, autoincrement=True),
        Column("id", _TEXT, nullable=False, unique=True),
        Column("exchange", _TEXT, nullable=False),
        Column("tool", _TEXT, nullable=False),
        Column("kind", _TEXT, nullable=False),
        Column("at", Double, nullable=False),
        Column("version", Integer, nullable=False),
        Column("body", _TEXT, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("handrail_journal_exchange", "handrail_journal", ["exchange", "kind"])
    op.create_index("handrail_journal_kind", "handrail_journal", ["kind", "number"])


def _approvals() -> None:
    op.create_table(
        "handrail_approvals",
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
    )
    op.create_index("handrail_approvals_open", "handrail_approvals", ["status", "created_at"])


def _budgets() -> None:
    op.create_table(
        "handrail_budgets",
        Column("scope", _TEXT, primary_key=True),
        Column("name", _TEXT, primary_key=True),
        Column("spent", BigInteger, nullable=False),
        Column("at", Double, nullable=False),
    )


def _calls() -> None:
    op.create_table(
        "handrail_calls",
        Column("scope", _TEXT, primary_key=True),
        Column("name", _TEXT, primary_key=True),
        Column("standing", Integer, nullable=False),
        Column("running", Integer, nullable=False),
        Column("runs", BigInteger, nullable=False),
        Column("mark", _TEXT, nullable=False),
        Column("epoch", BigInteger, nullable=False),
        Column("at", Double, nullable=False),
    )


def _epochs() -> None:
    op.create_table(
        "handrail_epochs",
        Column("scope", _TEXT, primary_key=True),
        Column("epoch", BigInteger, nullable=False),
        Column("at", Double, nullable=False),
    )


def _ledger() -> None:
    op.create_table(
        "handrail_ledger",
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
    )
    op.create_index("handrail_ledger_user", "handrail_ledger", ["user", "number"])
    op.create_index("handrail_ledger_tool", "handrail_ledger", ["tool", "number"])
    op.create_index("handrail_ledger_at", "handrail_ledger", ["at"])


def _ledger_head() -> None:
    op.create_table(
        "handrail_ledger_head",
        Column("one", Integer, primary_key=True, autoincrement=False),
        Column("number", BigInteger, nullable=False),
        Column("hash", _TEXT, nullable=False),
    )


def _events() -> None:
    op.create_table(
        "handrail_events",
        Column("number", _NUMBER, primary_key=True, autoincrement=True),
        Column("id", _TEXT, nullable=False, unique=True),
        Column("type", _TEXT, nullable=False),
        Column("payload", _TEXT, nullable=False),
        Column("at", Double, nullable=False),
        Column("attempts", Integer, nullable=False),
        Column("next_at", Double, nullable=False),
        Column("parked", Boolean, nullable=False, server_default=false()),
        Column("error", _TEXT, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("handrail_events_due", "handrail_events", ["parked", "next_at"])


def _documents() -> None:
    op.create_table(
        "handrail_documents",
        Column("app", _TEXT, primary_key=True),
        Column("user", _TEXT, primary_key=True),
        Column("collection", _TEXT, primary_key=True),
        Column("id", _TEXT, primary_key=True),
        Column("version", Integer, nullable=False),
        Column("data", _TEXT, nullable=False),
        Column("created_at", Double, nullable=False),
        Column("updated_at", Double, nullable=False),
    )


def _cache() -> None:
    op.create_table(
        "handrail_cache",
        Column("app", _TEXT, primary_key=True),
        Column("user", _TEXT, primary_key=True),
        Column("key", _TEXT, primary_key=True),
        Column("value", _TEXT, nullable=False),
        Column("expires_at", Double, nullable=True),
    )
    op.create_index("handrail_cache_expiry", "handrail_cache", ["expires_at"])
