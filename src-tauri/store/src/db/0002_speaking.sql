-- In which era a server is spoken to: what the person chose, and what was found out for one way of reaching it.
CREATE TABLE eras (
    server      TEXT PRIMARY KEY,
    choice      TEXT NOT NULL,
    found       TEXT,
    fingerprint TEXT,
    found_at    INTEGER
) STRICT;

-- Calls that a server goes on with as tasks, until their end is known.
CREATE TABLE tasks (
    call     TEXT PRIMARY KEY,
    server   TEXT NOT NULL,
    begun_at INTEGER NOT NULL,
    body     TEXT NOT NULL
) STRICT;

-- Accounts at a server, by the name a person gave them. The tokens are a secret.
CREATE TABLE accounts (
    server TEXT NOT NULL,
    name   TEXT NOT NULL,
    in_use INTEGER NOT NULL,
    secret TEXT,
    PRIMARY KEY (server, name)
) STRICT;

-- How the program is known at a server's sign-in, where a person said so.
CREATE TABLE clients (
    server         TEXT PRIMARY KEY,
    client_id      TEXT NOT NULL,
    secret         TEXT,
    without_person INTEGER NOT NULL
) STRICT;
