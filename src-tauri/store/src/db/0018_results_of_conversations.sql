-- What came of a call of a conversation, from when it came until the journal has it.
CREATE TABLE conversation_results (
    call         TEXT PRIMARY KEY,
    conversation TEXT NOT NULL,
    body         TEXT NOT NULL
) STRICT;
