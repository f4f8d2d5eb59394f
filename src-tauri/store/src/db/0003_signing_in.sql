-- Who vouches for a client that a person entered: once it has been used it is shown to nobody else.
ALTER TABLE clients ADD COLUMN issuer TEXT;
