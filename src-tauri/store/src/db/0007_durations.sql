-- How much of its duration a call waited for a person, and how much it ran. Of calls that ended before this was
-- kept nobody knows.
ALTER TABLE activity ADD COLUMN waited_ms INTEGER;
ALTER TABLE activity ADD COLUMN ran_ms INTEGER;
