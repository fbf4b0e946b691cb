-- A session's profile is chosen at its first turn: empty says that it has not begun. What was said in a thread before
-- Hermes was asked into it is read once; conversations that are under way have no need of it.
ALTER TABLE session ALTER COLUMN profile SET DEFAULT '';
ALTER TABLE session ADD COLUMN past_read_at timestamptz(3);
UPDATE session SET past_read_at = now();
