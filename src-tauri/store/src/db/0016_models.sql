-- Models that the person has set up; `name_key` is the name in lower case. `key` says where the key of the service lies, if it has one.
CREATE TABLE models (
    id       TEXT PRIMARY KEY,
    name     TEXT NOT NULL,
    name_key TEXT NOT NULL UNIQUE,
    settings TEXT NOT NULL,
    key      TEXT,
    added_at INTEGER NOT NULL
) STRICT;
