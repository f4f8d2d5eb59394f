-- Who asks is a kind and an id, and more kinds can come. The index of the log is made again from it with both: `caller` is
-- "kind:id". Grants, questions, tasks and rules of before hold a kind alone and are read as the only one of it, as they always were.
DROP TABLE activity_words;
DROP TABLE activity;
DELETE FROM activity_state;
DELETE FROM activity_records;
DELETE FROM activity_times;
-- One row a call, or another event.
CREATE TABLE activity (
    seq         INTEGER PRIMARY KEY,
    at          INTEGER NOT NULL,
    what        TEXT NOT NULL,
    caller      TEXT,
    caller_kind TEXT,
    caller_name TEXT,
    server      TEXT,
    server_key  TEXT,
    tool        TEXT,
    outcome     TEXT NOT NULL,
    duration_ms INTEGER,
    waited_ms   INTEGER,
    ran_ms      INTEGER,
    call        TEXT,
    words       TEXT NOT NULL
) STRICT;
CREATE INDEX activity_by_call ON activity (call) WHERE call IS NOT NULL;
-- Each holds what a row is chosen by, so that rows that do not fit are passed over without being read.
CREATE INDEX activity_by_server ON activity (server_key, seq, tool, outcome, caller, caller_kind);
CREATE INDEX activity_by_tool ON activity (tool, seq, server_key, outcome, caller, caller_kind);
CREATE INDEX activity_by_outcome ON activity (outcome, seq, server_key, tool, caller, caller_kind);
CREATE INDEX activity_by_caller ON activity (caller, seq, server_key, tool, outcome);
CREATE INDEX activity_by_caller_kind ON activity (caller_kind, seq, server_key, tool, outcome, caller);
-- The words of each row, as before.
CREATE VIRTUAL TABLE activity_words USING fts5 (
    words, content = 'activity', content_rowid = 'seq', prefix = '1 2 3 4 5 6 7 8', detail = none,
    tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'"
);
-- Everyone who has asked for something, with the name they had last.
CREATE TABLE activity_callers (
    caller TEXT PRIMARY KEY,
    name   TEXT NOT NULL,
    seq    INTEGER NOT NULL
) STRICT;
