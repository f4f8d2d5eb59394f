-- A call whose server wants input before it goes on has the stage 'paused', with what it goes on with, sealed. Its row is looked for
-- whenever a server comes to run, and so is one that nobody was asked about and that has gone on.
CREATE INDEX waiting_paused ON waiting (since) WHERE stage = 'paused' OR (stage = 'sent' AND question IS NULL);
