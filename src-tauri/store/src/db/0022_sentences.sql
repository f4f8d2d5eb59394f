-- Each row says enough for a sentence. The index of the log is made again from it.
ALTER TABLE activity ADD COLUMN segment TEXT NOT NULL DEFAULT 'system';
ALTER TABLE activity ADD COLUMN subject TEXT;
ALTER TABLE activity ADD COLUMN choice TEXT;
ALTER TABLE activity ADD COLUMN things INTEGER;
ALTER TABLE activity ADD COLUMN question TEXT;
ALTER TABLE activity ADD COLUMN grant_id TEXT;
ALTER TABLE activity ADD COLUMN rule TEXT;
CREATE INDEX activity_by_segment ON activity (segment, seq);
INSERT INTO activity_words (activity_words) VALUES ('delete-all');
DELETE FROM activity;
DELETE FROM activity_state;
DELETE FROM activity_records;
DELETE FROM activity_times;
DELETE FROM activity_callers;
