-- One human may write on several channels: identities that were linked belong to one person. What is still written for
-- a person that has become part of another one, by work that began before, is written for that one.
ALTER TABLE person ADD COLUMN linked_to text REFERENCES person (id);
-- The same for all persons that have ever been one, also after they were parted: four eyes are those of two humans.
ALTER TABLE person ADD COLUMN human text;
CREATE INDEX person_linked_to ON person (linked_to) WHERE linked_to IS NOT NULL;
CREATE INDEX person_human ON person (human) WHERE human IS NOT NULL;

-- A code that one identity was shown; said by another one, it links the two. Only a hash of it is kept.
CREATE TABLE link_code (
  id text NOT NULL PRIMARY KEY,
  hash text NOT NULL UNIQUE,
  identity_id text NOT NULL REFERENCES identity (id) ON DELETE CASCADE,
  expires_at timestamptz(3) NOT NULL,
  claimed_by text REFERENCES identity (id) ON DELETE CASCADE,
  used_at timestamptz(3),
  use_key text UNIQUE,
  leaving text,
  staying text,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX link_code_identity_id_idx ON link_code (identity_id);
CREATE INDEX link_code_claimed_by_idx ON link_code (claimed_by);

-- How often an identity has said a code lately.
CREATE TABLE link_attempt (
  identity_id text NOT NULL PRIMARY KEY REFERENCES identity (id) ON DELETE CASCADE,
  count integer NOT NULL,
  since timestamptz(3) NOT NULL
);

-- Who the operator says that people are, as the settings declare it now.
CREATE TABLE directory_address (
  channel channel_name NOT NULL,
  workspace text NOT NULL,
  user_id text NOT NULL,
  entry text NOT NULL,
  PRIMARY KEY (channel, workspace, user_id)
);
CREATE INDEX directory_address_entry_idx ON directory_address (entry);

-- The lock makes whoever links wait for what is being written, and the other way round.
CREATE FUNCTION follow_link() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE one text;
BEGIN
  SELECT linked_to INTO one FROM person WHERE id = NEW.person_id FOR KEY SHARE;
  IF one IS NOT NULL THEN NEW.person_id := one; END IF;
  RETURN NEW;
END $$;

-- In direct messages on Discord the workspace is the person's own.
CREATE FUNCTION follow_link_in_memory() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE one text;
BEGIN
  SELECT linked_to INTO one FROM person WHERE id = NEW.person_id FOR KEY SHARE;
  IF one IS NOT NULL THEN
    IF NEW.workspace = NEW.person_id THEN NEW.workspace := one; END IF;
    NEW.person_id := one;
  END IF;
  RETURN NEW;
END $$;

CREATE FUNCTION follow_link_in_ticket() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE one text;
BEGIN
  SELECT linked_to INTO one FROM person WHERE id = NEW.created_by FOR KEY SHARE;
  IF one IS NOT NULL THEN
    IF NEW.workspace = NEW.created_by THEN NEW.workspace := one; END IF;
    NEW.created_by := one;
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER inbound_event_link BEFORE INSERT ON inbound_event
  FOR EACH ROW WHEN (NEW.person_id IS NOT NULL) EXECUTE FUNCTION follow_link();
CREATE TRIGGER turn_link BEFORE INSERT ON turn FOR EACH ROW EXECUTE FUNCTION follow_link();
CREATE TRIGGER message_link BEFORE INSERT ON message
  FOR EACH ROW WHEN (NEW.person_id IS NOT NULL) EXECUTE FUNCTION follow_link();
CREATE TRIGGER tool_call_link BEFORE INSERT ON tool_call FOR EACH ROW EXECUTE FUNCTION follow_link();
CREATE TRIGGER approval_link BEFORE INSERT ON approval FOR EACH ROW EXECUTE FUNCTION follow_link();
CREATE TRIGGER approval_grant_link BEFORE INSERT ON approval_grant FOR EACH ROW EXECUTE FUNCTION follow_link();
CREATE TRIGGER workflow_instance_link BEFORE INSERT ON workflow_instance
  FOR EACH ROW EXECUTE FUNCTION follow_link();
CREATE TRIGGER hand_over_link BEFORE INSERT ON hand_over FOR EACH ROW EXECUTE FUNCTION follow_link();
CREATE TRIGGER reminder_link BEFORE INSERT ON reminder FOR EACH ROW EXECUTE FUNCTION follow_link();
CREATE TRIGGER memory_link BEFORE INSERT ON memory FOR EACH ROW EXECUTE FUNCTION follow_link_in_memory();
CREATE TRIGGER ticket_link BEFORE INSERT ON ticket FOR EACH ROW EXECUTE FUNCTION follow_link_in_ticket();
CREATE TRIGGER ticket_comment_link BEFORE INSERT ON ticket_comment FOR EACH ROW EXECUTE FUNCTION follow_link();
CREATE TRIGGER ticket_change_link BEFORE INSERT ON ticket_change FOR EACH ROW EXECUTE FUNCTION follow_link();
