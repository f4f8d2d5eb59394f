-- Servers run when they are used. Those that are there already go on as they did: somebody may count on it.
ALTER TABLE servers ADD COLUMN runs TEXT NOT NULL DEFAULT '"always"';

-- What each server offered when it was last asked, for who asks while it does not run. What is not here is not known.
CREATE TABLE catalogues (
    server TEXT NOT NULL,
    part TEXT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (server, part)
);
