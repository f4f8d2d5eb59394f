-- Other applications that may come in by the gateway.
CREATE TABLE gateway_clients (
    -- The id of the caller.
    id         TEXT PRIMARY KEY,
    name       TEXT NOT NULL,
    added_at   INTEGER NOT NULL,
    -- The SHA-256 of its token for HTTP, hexadecimal; absent where it has none. The token itself is kept nowhere.
    token_hash TEXT UNIQUE,
    -- When it was connected last.
    seen_at    INTEGER
) STRICT, WITHOUT ROWID;
