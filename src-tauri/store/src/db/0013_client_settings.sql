-- What another application is given, and how it is shown it, as JSON; absent for one that was added before that could
-- be chosen, which is given everything.
ALTER TABLE gateway_clients ADD COLUMN settings TEXT;
