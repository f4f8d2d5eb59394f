-- What the log says of each thing that lets more happen. The index of the log is made again from it with this.
CREATE TABLE vouched (
    -- 'grant', 'feature', 'launch', 'review' or 'rule'; 'all' of a record that says what stood when older ones were moved out.
    noun     TEXT NOT NULL,
    subject  TEXT NOT NULL,
    server   TEXT,
    -- What exactly was decided about, as a fingerprint; absent where a record of an earlier version does not say.
    terms    TEXT,
    -- Calls that a grant has let through.
    used     INTEGER NOT NULL DEFAULT 0,
    -- The record that says so.
    seq      INTEGER NOT NULL,
    ended_at INTEGER,
    PRIMARY KEY (noun, subject)
) STRICT, WITHOUT ROWID;
CREATE INDEX vouched_by_server ON vouched (server) WHERE ended_at IS NULL;
INSERT INTO activity_words (activity_words) VALUES ('delete-all');
DELETE FROM activity;
DELETE FROM activity_state;
DELETE FROM activity_records;
DELETE FROM activity_times;
DELETE FROM activity_callers;
