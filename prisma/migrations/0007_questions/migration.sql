-- A call that was refused since something in its arguments is missing or not clear may be put to its person as a
-- question, with a card of its own. What is asked stands beside the call; the status only moves forward.
CREATE TYPE question_status AS ENUM ('open', 'given', 'answered', 'closed');
ALTER TABLE tool_call ADD COLUMN question jsonb;
ALTER TABLE tool_call ADD COLUMN question_status question_status;
CREATE INDEX tool_call_question ON tool_call (session_id) WHERE question_status IS NOT NULL;
