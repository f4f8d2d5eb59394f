-- What a server may touch. Those that are there already go on as they did: somebody counts on what they can do.
ALTER TABLE servers ADD COLUMN confinement TEXT NOT NULL DEFAULT '{"confined":false}';
