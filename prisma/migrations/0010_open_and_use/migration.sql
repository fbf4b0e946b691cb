-- What has aged out is looked for at each upkeep, in a table that grows with every long result.
CREATE INDEX stored_result_expires_at_idx ON stored_result (expires_at);

-- Each step reads the calls of its session that are not settled, however many are. The narrower index served
-- the sweep alone, which this one serves, too.
CREATE INDEX tool_call_unsettled ON tool_call (session_id) WHERE status IN ('proposed', 'approved', 'executing', 'unknown');
DROP INDEX tool_call_open;

-- What the model's endpoints were used for beside the requests of turns, which keep their own sums.
CREATE TABLE model_use (
  id text PRIMARY KEY,
  at timestamptz(3) NOT NULL DEFAULT now(),
  task text NOT NULL,
  model text NOT NULL,
  person_id text,
  session_id text,
  turn_id text,
  input_tokens integer NOT NULL,
  output_tokens integer NOT NULL,
  cost double precision NOT NULL
);
CREATE INDEX model_use_at_idx ON model_use (at);
CREATE INDEX model_use_person_id_at_idx ON model_use (person_id, at);
CREATE INDEX model_use_turn_id_idx ON model_use (turn_id);
