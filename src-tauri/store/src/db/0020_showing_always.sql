-- Tools that models are always shown, in each workspace.
CREATE TABLE always_shown (
    workspace TEXT NOT NULL,
    server    TEXT NOT NULL,
    tool      TEXT NOT NULL,
    PRIMARY KEY (workspace, server, tool)
) STRICT;
