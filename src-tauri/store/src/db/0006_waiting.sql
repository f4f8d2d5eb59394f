-- Questions and the calls that wait for them are one thing: from being asked to the end of the call. `stage` is 'waiting', 'answered',
-- 'sent', 'ended' or 'noted' (a person has seen that nobody knows how the call ended). What is needed to go on is sealed with a key from
-- the keyring, and gone once the call was sent: it is never sent again.
CREATE TABLE waiting (
    id           INTEGER PRIMARY KEY,
    -- Absent for a call that nobody was asked about, of which a person has seen that its end is not known.
    question     TEXT UNIQUE,
    -- Absent for a question that is about no call.
    call         TEXT UNIQUE,
    run          TEXT,
    stage        TEXT NOT NULL,
    since        INTEGER NOT NULL,
    -- How the waiting ended; absent while it waits.
    ended        TEXT,
    ended_at     INTEGER,
    -- Who asks for which tool of which server.
    about        TEXT,
    nonce        BLOB,
    sealed       BLOB,
    answered_at  INTEGER,
    answer_nonce BLOB,
    answer       BLOB
) STRICT;
INSERT INTO waiting (question, call, run, stage, since, ended, ended_at, about, nonce, sealed, answered_at, answer_nonce, answer)
    SELECT j.question, j.call, q.run, j.step, j.since, q.ended, q.ended_at, j.about, j.nonce, j.sealed, j.answered_at, j.answer_nonce, j.answer
    FROM journal j LEFT JOIN questions q ON q.id = j.question;
-- A question that waits and whose call was not written down cannot be taken up: it lapses with the next run, as it always did.
INSERT INTO waiting (question, run, stage, since, ended, ended_at)
    SELECT id, run, iif(ended IS NULL, 'waiting', 'ended'), asked_at, ended, ended_at
    FROM questions WHERE id NOT IN (SELECT question FROM waiting WHERE question IS NOT NULL);
DROP TABLE journal;
DROP TABLE questions;
CREATE INDEX waiting_open ON waiting (since) WHERE stage IN ('waiting', 'answered', 'sent');
