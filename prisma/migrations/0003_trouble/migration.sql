-- What went wrong, who takes over, and what it costs.

-- Until when the tool is not asked again in the session, and whether the person got something else instead.
ALTER TABLE failure ADD COLUMN down_until timestamptz(3);
CREATE INDEX failure_recent ON failure (session_id, created_at);

ALTER TABLE turn ADD COLUMN cost double precision NOT NULL DEFAULT 0;
CREATE INDEX turn_person_started ON turn (person_id, started_at);
CREATE INDEX turn_started ON turn (started_at);

CREATE TYPE hand_over_status AS ENUM ('open', 'claimed', 'released');

CREATE TABLE hand_over (
  id text NOT NULL PRIMARY KEY,
  session_id text NOT NULL,
  person_id text NOT NULL,
  status hand_over_status NOT NULL DEFAULT 'open',
  reason text NOT NULL,
  request text NOT NULL,
  language text NOT NULL,
  desk_room jsonb,
  desk_session_id text UNIQUE,
  claimed_by text,
  claimed_at timestamptz(3),
  released_by text,
  released_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
-- One person's thread is with the desk once at a time.
CREATE UNIQUE INDEX hand_over_open ON hand_over (session_id) WHERE status <> 'released';
CREATE INDEX hand_over_session_id_idx ON hand_over (session_id);

CREATE FUNCTION keep_hand_over_forward() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status < OLD.status THEN
    RAISE EXCEPTION 'hand-over % is %, it cannot become %', OLD.id, OLD.status, NEW.status;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER hand_over_forward BEFORE UPDATE OF status ON hand_over
  FOR EACH ROW EXECUTE FUNCTION keep_hand_over_forward();
