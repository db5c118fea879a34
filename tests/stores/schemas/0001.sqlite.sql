CREATE TABLE handrail_approvals (
    id TEXT NOT NULL,
    owner TEXT,
    tool TEXT NOT NULL,
    arguments TEXT NOT NULL,
    hash TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    created_at DOUBLE NOT NULL,
    expires_at DOUBLE NOT NULL,
    turn_key TEXT NOT NULL,
    slot TEXT NOT NULL,
    status TEXT NOT NULL,
    decided_at DOUBLE,
    decided_by TEXT,
    reason TEXT NOT NULL,
    PRIMARY KEY (id)
);
CREATE INDEX handrail_approvals_open ON handrail_approvals (status, created_at);
CREATE TABLE handrail_budgets (
    scope TEXT NOT NULL,
    name TEXT NOT NULL,
    spent BIGINT NOT NULL,
    at DOUBLE NOT NULL,
    PRIMARY KEY (scope, name)
);
CREATE TABLE handrail_cache (
    app TEXT NOT NULL,
    user TEXT NOT NULL,
    "key" TEXT NOT NULL,
    value TEXT NOT NULL,
    expires_at DOUBLE,
    PRIMARY KEY (app, user, "key")
);
CREATE INDEX handrail_cache_expiry ON handrail_cache (expires_at);
CREATE TABLE handrail_calls (
    scope TEXT NOT NULL,
    name TEXT NOT NULL,
    standing INTEGER NOT NULL,
    running INTEGER NOT NULL,
    runs BIGINT NOT NULL,
    mark TEXT NOT NULL,
    epoch BIGINT NOT NULL,
    at DOUBLE NOT NULL,
    PRIMARY KEY (scope, name)
);
CREATE TABLE handrail_documents (
    app TEXT NOT NULL,
    user TEXT NOT NULL,
    collection TEXT NOT NULL,
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    data TEXT NOT NULL,
    created_at DOUBLE NOT NULL,
    updated_at DOUBLE NOT NULL,
    PRIMARY KEY (app, user, collection, id)
);
CREATE TABLE handrail_epochs (
    scope TEXT NOT NULL,
    epoch BIGINT NOT NULL,
    at DOUBLE NOT NULL,
    PRIMARY KEY (scope)
);
CREATE TABLE handrail_events (
    number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    payload TEXT NOT NULL,
    at DOUBLE NOT NULL,
    attempts INTEGER NOT NULL,
    next_at DOUBLE NOT NULL,
    parked BOOLEAN DEFAULT 0 NOT NULL,
    error TEXT NOT NULL,
    UNIQUE (id)
);
CREATE INDEX handrail_events_due ON handrail_events (parked, next_at);
CREATE TABLE handrail_journal (
    number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL,
    exchange TEXT NOT NULL,
    tool TEXT NOT NULL,
    kind TEXT NOT NULL,
    at DOUBLE NOT NULL,
    version INTEGER NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (id)
);
CREATE INDEX handrail_journal_exchange ON handrail_journal (exchange, kind);
CREATE INDEX handrail_journal_kind ON handrail_journal (kind, number);
CREATE TABLE handrail_ledger (
    number INTEGER NOT NULL,
    id TEXT NOT NULL,
    at DOUBLE NOT NULL,
    user TEXT NOT NULL,
    app TEXT NOT NULL,
    tool TEXT NOT NULL,
    status TEXT NOT NULL,
    text TEXT NOT NULL,
    prev_hash TEXT NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (number),
    UNIQUE (id)
);
CREATE INDEX handrail_ledger_at ON handrail_ledger (at);
CREATE TABLE handrail_ledger_head (
    one INTEGER NOT NULL,
    number BIGINT NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (one)
);
CREATE INDEX handrail_ledger_tool ON handrail_ledger (tool, number);
CREATE INDEX handrail_ledger_user ON handrail_ledger (user, number);
CREATE TABLE handrail_schema (
    version_num VARCHAR(32) NOT NULL,
    CONSTRAINT handrail_schema_pkc PRIMARY KEY (version_num)
);
