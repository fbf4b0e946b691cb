-- Declared workflows under way: one row each, with the definition that it began with.
CREATE TYPE workflow_status AS ENUM ('active', 'parked', 'ended');

CREATE TABLE workflow_instance (
  id text NOT NULL PRIMARY KEY,
  session_id text NOT NULL REFERENCES session (id),
  person_id text NOT NULL REFERENCES person (id),
  turn_id text,
  name text NOT NULL,
  version text NOT NULL,
  definition jsonb NOT NULL,
  language text NOT NULL,
  status workflow_status NOT NULL DEFAULT 'active',
  state text NOT NULL,
  visit integer NOT NULL DEFAULT 1,
  entered_seq integer NOT NULL DEFAULT 0,
  leaving boolean NOT NULL DEFAULT false,
  data jsonb NOT NULL DEFAULT '{}',
  problem text,
  call_id text,
  due_at timestamptz(3),
  started_at timestamptz(3) NOT NULL DEFAULT now(),
  ended_at timestamptz(3)
);

-- A person is in one at a time in a thread; others wait, put aside.
CREATE UNIQUE INDEX workflow_instance_active ON workflow_instance (session_id, person_id) WHERE status = 'active';
CREATE INDEX workflow_instance_session_id_idx ON workflow_instance (session_id);
CREATE INDEX workflow_instance_due ON workflow_instance (due_at) WHERE due_at IS NOT NULL;
