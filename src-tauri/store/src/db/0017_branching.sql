-- A conversation that took over the beginning of another one, which may be gone by now.
ALTER TABLE conversations ADD COLUMN branch_of TEXT;
