-- What the person has made of models for kinds of tasks; `name_key` is the name in lower case.
CREATE TABLE assistants (
    id       TEXT PRIMARY KEY,
    name_key TEXT NOT NULL UNIQUE,
    settings TEXT NOT NULL,
    added_at INTEGER NOT NULL
) STRICT;

-- Who answers in a conversation, if it is an assistant; the conversation that gave the task that is done in this one, and the task, as
-- whoever writes it reads it; and whether the model is shown what speaks to it.
ALTER TABLE conversations ADD COLUMN assistant TEXT;
ALTER TABLE conversations ADD COLUMN parent TEXT;
ALTER TABLE conversations ADD COLUMN task TEXT;
ALTER TABLE conversations ADD COLUMN shows_all INTEGER NOT NULL DEFAULT 0;
CREATE INDEX conversations_by_parent ON conversations (parent) WHERE parent IS NOT NULL;
