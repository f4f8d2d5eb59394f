-- Servers are compared by `key`, the name in lower case; `name` is as the person wrote it.
CREATE TABLE servers (
    key      TEXT PRIMARY KEY,
    name     TEXT NOT NULL,
    launch   TEXT NOT NULL,
    reviewed TEXT,
    is_on    INTEGER NOT NULL,
    added_at INTEGER NOT NULL
) STRICT;

CREATE TABLE roots (
    server   TEXT NOT NULL,
    position INTEGER NOT NULL,
    path     TEXT NOT NULL,
    PRIMARY KEY (server, position)
) STRICT;

-- The last list of tools that a server showed.
CREATE TABLE tools (
    server   TEXT NOT NULL,
    position INTEGER NOT NULL,
    spec     TEXT NOT NULL,
    PRIMARY KEY (server, position)
) STRICT;

-- Tools that a person has switched off.
CREATE TABLE switched_off (
    server TEXT NOT NULL,
    tool   TEXT NOT NULL,
    PRIMARY KEY (server, tool)
) STRICT;

-- `run` is there for a grant that ends with that run of the application.
CREATE TABLE grants (
    id           TEXT PRIMARY KEY,
    server       TEXT NOT NULL,
    run          TEXT,
    body         TEXT NOT NULL,
    made_at      INTEGER NOT NULL,
    last_used_at INTEGER,
    revoked_at   INTEGER
) STRICT;
CREATE INDEX grants_by_age ON grants (made_at) WHERE revoked_at IS NULL;

CREATE TABLE questions (
    id        TEXT PRIMARY KEY,
    run       TEXT NOT NULL,
    asked_at  INTEGER NOT NULL,
    body      TEXT NOT NULL,
    -- How it ended; absent while it waits.
    ended     TEXT,
    ended_at  INTEGER
) STRICT;
CREATE INDEX questions_waiting ON questions (asked_at) WHERE ended IS NULL;

-- Where a secret lies: 'keyring', 'sealed' (see below) or 'session' (in memory, gone with the run that kept it).
CREATE TABLE secrets (
    id    TEXT PRIMARY KEY,
    place TEXT NOT NULL
) STRICT;

-- Values too long for a keyring entry, sealed with a key that lies in the keyring.
CREATE TABLE sealed_secrets (
    id     TEXT PRIMARY KEY,
    nonce  BLOB NOT NULL,
    sealed BLOB NOT NULL
) STRICT;

-- The last known head of the log, one row.
CREATE TABLE audit_head (
    id   INTEGER PRIMARY KEY CHECK (id = 1),
    head TEXT NOT NULL
) STRICT;

-- What follows is derived from the log and can be made again from it.

-- Where in the log the index has got to, one row.
CREATE TABLE activity_state (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    segment INTEGER NOT NULL,
    length  INTEGER NOT NULL,
    seq     INTEGER NOT NULL,
    hash    TEXT NOT NULL
) STRICT;

-- One row a call, or another event.
CREATE TABLE activity (
    seq         INTEGER PRIMARY KEY,
    at          INTEGER NOT NULL,
    what        TEXT NOT NULL,
    caller      TEXT,
    server      TEXT,
    server_key  TEXT,
    tool        TEXT,
    outcome     TEXT NOT NULL,
    duration_ms INTEGER,
    call        TEXT
) STRICT;
CREATE INDEX activity_by_server ON activity (server_key, seq);
CREATE INDEX activity_by_tool ON activity (tool, seq);
CREATE INDEX activity_by_outcome ON activity (outcome, seq);
CREATE INDEX activity_by_call ON activity (call) WHERE call IS NOT NULL;

-- Where each record lies, and to which row it belongs.
CREATE TABLE activity_records (
    seq     INTEGER PRIMARY KEY,
    row     INTEGER,
    call    TEXT,
    segment INTEGER NOT NULL,
    start   INTEGER NOT NULL,
    length  INTEGER NOT NULL
) STRICT;
CREATE INDEX activity_records_by_call ON activity_records (call) WHERE call IS NOT NULL;

-- The words of each row; Chinese, Japanese and Korean are cut into pairs before they get here.
CREATE VIRTUAL TABLE activity_words USING fts5 (words, tokenize = 'unicode61 remove_diacritics 2');
