-- What a person decided about each thing that a server offers, and about what exactly.
CREATE TABLE pins (
    server      TEXT NOT NULL,
    kind        TEXT NOT NULL,
    name        TEXT NOT NULL,
    decision    TEXT NOT NULL,
    definition  TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    decided_at  INTEGER NOT NULL,
    PRIMARY KEY (server, kind, name)
) STRICT;

-- What ran when a person reviewed a server: its program and its package.
ALTER TABLE servers ADD COLUMN identity TEXT;

-- What a person says about a tool, beyond what its server says.
CREATE TABLE marks (
    server TEXT NOT NULL,
    tool   TEXT NOT NULL,
    body   TEXT NOT NULL,
    PRIMARY KEY (server, tool)
) STRICT;
