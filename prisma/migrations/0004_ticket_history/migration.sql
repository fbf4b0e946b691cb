-- Who changed what of a ticket, when: one row for each field of a change.
CREATE TABLE ticket_change (
  id text NOT NULL PRIMARY KEY,
  ticket_id text NOT NULL REFERENCES ticket (id),
  person_id text NOT NULL,
  call_id text NOT NULL,
  field text NOT NULL,
  before text,
  after text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (call_id, field)
);
CREATE INDEX ticket_change_ticket_id_idx ON ticket_change (ticket_id);
