-- The person's conversations with models. `entries` and `bytes` are how much there is of the journal; `draft` is what has come of a
-- reply that is coming in.
CREATE TABLE conversations (
    id         TEXT PRIMARY KEY,
    title      TEXT NOT NULL,
    model      TEXT,
    workspace  TEXT NOT NULL,
    is_pinned  INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    entries    INTEGER NOT NULL,
    bytes      INTEGER NOT NULL,
    draft      TEXT
) STRICT;

-- Their journals: what has happened, each entry as whoever wrote it reads it, and its words as they are looked for.
CREATE TABLE conversation_entries (
    seq          INTEGER PRIMARY KEY,
    conversation TEXT NOT NULL,
    position     INTEGER NOT NULL,
    at           INTEGER NOT NULL,
    kind         TEXT NOT NULL,
    body         TEXT NOT NULL,
    words        TEXT NOT NULL,
    UNIQUE (conversation, position)
) STRICT;

-- The words of each entry, as those of the log are indexed.
CREATE VIRTUAL TABLE conversation_words USING fts5 (
    words, content = 'conversation_entries', content_rowid = 'seq', prefix = '1 2 3 4 5 6 7 8', detail = none,
    tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'"
);
