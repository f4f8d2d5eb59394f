-- Grants and questions of before say nothing of workspaces and limits: what they allowed is asked again.
DELETE FROM grants;
UPDATE questions SET ended = 'lapsed' WHERE ended IS NULL;

-- How many calls a grant has decided about, the one that was asked about included.
ALTER TABLE grants ADD COLUMN used INTEGER NOT NULL DEFAULT 1;

-- Calls that a person is asked about, from the question to the end of the call, and calls whose unknown outcome a person has seen.
-- `step` is 'waiting', 'answered', 'sent' or 'noted'. What is needed to go on is sealed with a key from the keyring, and gone once
-- the call was sent: it is never sent again.
CREATE TABLE journal (
    call         TEXT PRIMARY KEY,
    question     TEXT,
    step         TEXT NOT NULL,
    since        INTEGER NOT NULL,
    -- Who asks for which tool of which server.
    about        TEXT,
    nonce        BLOB,
    sealed       BLOB,
    answered_at  INTEGER,
    answer_nonce BLOB,
    answer       BLOB
) STRICT;
-- What was interrupted before this was kept is not brought up again.
INSERT INTO journal (call, step, since) SELECT DISTINCT call, 'noted', at FROM activity WHERE call IS NOT NULL AND outcome = 'interrupted' GROUP BY call;

-- Whether a server may ask for a model, and how much.
CREATE TABLE sampling (
    server   TEXT PRIMARY KEY,
    settings TEXT NOT NULL
) STRICT;

-- What servers have used of a model: one row a request, for a day.
CREATE TABLE sampling_use (
    id     INTEGER PRIMARY KEY,
    server TEXT NOT NULL,
    at     INTEGER NOT NULL,
    tokens INTEGER NOT NULL
) STRICT;
CREATE INDEX sampling_use_by_server ON sampling_use (server, at);

-- Named sets of servers with their folders and switches; `key` is the name in lower case. Exactly one is in use. The first one has no
-- name until a person gives it one, and is there from the first opening on.
CREATE TABLE workspaces (
    id      TEXT PRIMARY KEY,
    key     TEXT NOT NULL UNIQUE,
    name    TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    in_use  INTEGER NOT NULL
) STRICT;

-- Servers that run while a workspace is in use. What was on before workspaces were there is on in the first one.
CREATE TABLE switched_on (
    workspace TEXT NOT NULL,
    server    TEXT NOT NULL,
    PRIMARY KEY (workspace, server)
) STRICT;
INSERT INTO switched_on (workspace, server) SELECT 'workspace-first', key FROM servers WHERE is_on;
ALTER TABLE servers DROP COLUMN is_on;

-- Folders of servers, in each workspace.
ALTER TABLE roots RENAME TO roots_before;
CREATE TABLE roots (
    workspace TEXT NOT NULL,
    server    TEXT NOT NULL,
    position  INTEGER NOT NULL,
    path      TEXT NOT NULL,
    PRIMARY KEY (workspace, server, position)
) STRICT;
INSERT INTO roots (workspace, server, position, path) SELECT 'workspace-first', server, position, path FROM roots_before;
DROP TABLE roots_before;

-- Tools that a person has switched off, in each workspace.
ALTER TABLE switched_off RENAME TO switched_off_before;
CREATE TABLE switched_off (
    workspace TEXT NOT NULL,
    server    TEXT NOT NULL,
    tool      TEXT NOT NULL,
    PRIMARY KEY (workspace, server, tool)
) STRICT;
INSERT INTO switched_off (workspace, server, tool) SELECT 'workspace-first', server, tool FROM switched_off_before;
DROP TABLE switched_off_before;
-- Rules that the person made, each as people read it.
CREATE TABLE rules (
    id      TEXT PRIMARY KEY,
    body    TEXT NOT NULL,
    made_at INTEGER NOT NULL
) STRICT;

-- What a person chose about the application as a whole: one row for each noun, as JSON.
CREATE TABLE settings (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;
-- The index of the log is made again from it, with the words in a form that can be looked through without their index.
DROP TABLE activity_words;
DELETE FROM activity_state;
DELETE FROM activity_records;
DELETE FROM activity;
ALTER TABLE activity ADD COLUMN words TEXT NOT NULL DEFAULT '';
-- Each holds what a row is chosen by, so that rows that do not fit are passed over without being read.
DROP INDEX activity_by_server;
DROP INDEX activity_by_tool;
DROP INDEX activity_by_outcome;
CREATE INDEX activity_by_server ON activity (server_key, seq, tool, outcome, caller);
CREATE INDEX activity_by_tool ON activity (tool, seq, server_key, outcome, caller);
CREATE INDEX activity_by_outcome ON activity (outcome, seq, server_key, tool, caller);
CREATE INDEX activity_by_caller ON activity (caller, seq, server_key, tool, outcome);
-- From when to when the rows of a stretch of 1,024 numbers are; `stretch` is the number of the row by 1,024.
CREATE TABLE activity_times (
    stretch INTEGER PRIMARY KEY,
    first   INTEGER NOT NULL,
    last    INTEGER NOT NULL
) STRICT;
-- The words of each row, in lower case and without accents; Chinese, Japanese and Korean are cut into pairs before they get here.
-- Beginnings of up to eight characters have lists of their own: to make those of short ones, half the index would be read. Where in
-- a row a word stands is not kept; whoever finds a row looks at its words. Only
-- spaces part words.
CREATE VIRTUAL TABLE activity_words USING fts5 (
    words, content = 'activity', content_rowid = 'seq', prefix = '1 2 3 4 5 6 7 8', detail = none,
    tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'"
);
