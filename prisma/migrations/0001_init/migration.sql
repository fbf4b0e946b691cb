-- The tables of prisma/schema.prisma, and what Prisma has no words for: partial indexes, vectors, words,
-- and the rules that hold whoever writes.
CREATE EXTENSION IF NOT EXISTS vector;

CREATE TYPE channel_name AS ENUM ('slack', 'discord', 'web');
CREATE TYPE thread_kind AS ENUM ('direct', 'shared');
CREATE TYPE event_kind AS ENUM ('message', 'edit', 'removal', 'action', 'form', 'command', 'opened', 'timer');
CREATE TYPE event_status AS ENUM ('new', 'taken', 'dropped');
CREATE TYPE turn_status AS ENUM ('running', 'waiting', 'done', 'stopped', 'failed');
CREATE TYPE message_role AS ENUM ('user', 'assistant', 'note');
CREATE TYPE effect AS ENUM ('read', 'own', 'write');
CREATE TYPE call_status AS ENUM ('proposed', 'approved', 'executing', 'succeeded', 'failed', 'unknown', 'refused', 'cancelled', 'expired', 'withdrawn');
CREATE TYPE approval_status AS ENUM ('open', 'confirmed', 'cancelled', 'expired', 'changed');
CREATE TYPE delivery_purpose AS ENUM ('reply', 'card', 'notice', 'message');
CREATE TYPE delivery_status AS ENUM ('sending', 'sent', 'failed');
CREATE TYPE memory_scope AS ENUM ('private', 'team', 'public');
CREATE TYPE memory_kind AS ENUM ('episodic', 'semantic');
CREATE TYPE memory_category AS ENUM ('preference', 'instruction', 'fact', 'decision', 'task', 'goal', 'correction', 'event');
CREATE TYPE memory_source AS ENUM ('said', 'inferred');
CREATE TYPE memory_status AS ENUM ('active', 'superseded', 'archived', 'forgotten');
CREATE TYPE reminder_status AS ENUM ('open', 'fired', 'cancelled');
CREATE TYPE ticket_status AS ENUM ('open', 'in_progress', 'resolved', 'closed');
CREATE TYPE ticket_priority AS ENUM ('low', 'normal', 'high', 'urgent');

CREATE TABLE person (
  id text NOT NULL PRIMARY KEY,
  display_name text NOT NULL,
  time_zone text,
  language text,
  private_in_shared boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE identity (
  id text NOT NULL PRIMARY KEY,
  person_id text NOT NULL,
  channel channel_name NOT NULL,
  workspace text NOT NULL,
  user_id text NOT NULL,
  name text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (channel, workspace, user_id)
);

CREATE TABLE session (
  id text NOT NULL PRIMARY KEY,
  channel channel_name NOT NULL,
  workspace text NOT NULL,
  room text NOT NULL,
  thread text NOT NULL,
  kind thread_kind NOT NULL,
  profile text NOT NULL DEFAULT 'default',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_activity_at timestamptz(3) NOT NULL DEFAULT now(),
  archived_at timestamptz(3),
  seq integer NOT NULL DEFAULT 0,
  revision integer NOT NULL DEFAULT 0,
  plan jsonb,
  entities jsonb NOT NULL DEFAULT '[]',
  summary text,
  summary_seq integer NOT NULL DEFAULT 0,
  lease_owner text,
  lease_expires_at timestamptz(3),
  fence integer NOT NULL DEFAULT 0,
  UNIQUE (channel, workspace, room, thread)
);

CREATE TABLE inbound_event (
  id text NOT NULL PRIMARY KEY,
  dedupe_key text NOT NULL UNIQUE,
  session_id text NOT NULL,
  person_id text,
  kind event_kind NOT NULL,
  post_id text,
  payload jsonb NOT NULL,
  status event_status NOT NULL DEFAULT 'new',
  taken_turn_id text,
  taken_at timestamptz(3),
  received_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE turn (
  id text NOT NULL PRIMARY KEY,
  session_id text NOT NULL,
  person_id text NOT NULL,
  status turn_status NOT NULL DEFAULT 'running',
  leg integer NOT NULL DEFAULT 1,
  step integer NOT NULL DEFAULT 0,
  intent jsonb,
  recalled jsonb NOT NULL DEFAULT '[]',
  input_tokens integer NOT NULL DEFAULT 0,
  output_tokens integer NOT NULL DEFAULT 0,
  outcome text,
  started_at timestamptz(3) NOT NULL DEFAULT now(),
  ended_at timestamptz(3),
  learned_at timestamptz(3)
);

CREATE TABLE message (
  id text NOT NULL PRIMARY KEY,
  session_id text NOT NULL,
  seq integer NOT NULL,
  turn_id text,
  step integer NOT NULL DEFAULT 0,
  leg integer NOT NULL DEFAULT 1,
  role message_role NOT NULL,
  person_id text,
  event_id text UNIQUE,
  post_id text,
  text text NOT NULL,
  attachments jsonb NOT NULL DEFAULT '[]',
  final boolean NOT NULL DEFAULT true,
  edited_at timestamptz(3),
  removed_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (session_id, seq)
);

CREATE TABLE stored_result (
  id text NOT NULL PRIMARY KEY,
  session_id text NOT NULL,
  call_id text,
  media_type text NOT NULL,
  text text NOT NULL,
  tokens integer NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL
);

CREATE TABLE draft (
  session_id text NOT NULL PRIMARY KEY,
  text text NOT NULL,
  status text,
  sequence integer NOT NULL,
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE tool_call (
  id text NOT NULL PRIMARY KEY,
  session_id text NOT NULL,
  turn_id text NOT NULL,
  message_id text NOT NULL,
  person_id text NOT NULL,
  position integer NOT NULL,
  provider_id text NOT NULL,
  tool text NOT NULL,
  effect effect NOT NULL,
  idempotent boolean NOT NULL,
  arguments jsonb NOT NULL,
  arguments_hash text NOT NULL,
  definition_hash text NOT NULL,
  status call_status NOT NULL,
  result_text text,
  result_ref text,
  told text,
  failure_code text,
  attempts integer NOT NULL DEFAULT 0,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE approval (
  id text NOT NULL PRIMARY KEY,
  call_id text NOT NULL UNIQUE,
  session_id text NOT NULL,
  person_id text NOT NULL,
  status approval_status NOT NULL DEFAULT 'open',
  arguments_hash text NOT NULL,
  definition_hash text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  card jsonb NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  decided_by text,
  decided_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE failure (
  id text NOT NULL PRIMARY KEY,
  session_id text NOT NULL,
  call_id text,
  tool text NOT NULL,
  code text NOT NULL,
  advice text NOT NULL,
  degraded boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE memory (
  id text NOT NULL PRIMARY KEY,
  person_id text NOT NULL,
  workspace text NOT NULL,
  session_id text,
  scope memory_scope NOT NULL,
  kind memory_kind NOT NULL,
  category memory_category NOT NULL,
  subject text NOT NULL,
  text text NOT NULL,
  original text NOT NULL,
  context text NOT NULL DEFAULT '',
  source memory_source NOT NULL,
  source_id text NOT NULL,
  ordinal integer NOT NULL DEFAULT 0,
  turn_id text,
  happened_at timestamptz(3) NOT NULL,
  valid_from timestamptz(3) NOT NULL,
  valid_until timestamptz(3),
  superseded_by text,
  importance double precision NOT NULL DEFAULT 0.5,
  confidence double precision NOT NULL DEFAULT 1,
  version integer NOT NULL DEFAULT 1,
  status memory_status NOT NULL DEFAULT 'active',
  access_count integer NOT NULL DEFAULT 0,
  last_access_at timestamptz(3),
  expires_at timestamptz(3),
  forgotten_at timestamptz(3),
  embedding vector,
  embedding_model text,
  words tsvector,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (source_id, ordinal)
);

CREATE TABLE memory_revision (
  id text NOT NULL PRIMARY KEY,
  memory_id text NOT NULL,
  version integer NOT NULL,
  change text NOT NULL,
  text text,
  by_person text,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE state (
  scope text NOT NULL,
  key text NOT NULL,
  value jsonb NOT NULL,
  expires_at timestamptz(3),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (scope, key)
);

CREATE TABLE reminder (
  id text NOT NULL PRIMARY KEY,
  person_id text NOT NULL,
  session_id text NOT NULL,
  text text NOT NULL,
  due_at timestamptz(3) NOT NULL,
  time_zone text NOT NULL,
  recurrence text,
  status reminder_status NOT NULL DEFAULT 'open',
  call_id text NOT NULL UNIQUE,
  fired_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE ticket (
  id text NOT NULL PRIMARY KEY,
  number serial NOT NULL UNIQUE,
  workspace text NOT NULL,
  title text NOT NULL,
  body text NOT NULL DEFAULT '',
  status ticket_status NOT NULL DEFAULT 'open',
  priority ticket_priority NOT NULL DEFAULT 'normal',
  assignee text,
  labels text[] NOT NULL DEFAULT '{}',
  due_at timestamptz(3),
  created_by text NOT NULL,
  session_id text NOT NULL,
  call_id text NOT NULL UNIQUE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE ticket_comment (
  id text NOT NULL PRIMARY KEY,
  ticket_id text NOT NULL,
  person_id text NOT NULL,
  text text NOT NULL,
  call_id text NOT NULL UNIQUE,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE TABLE delivery (
  id text NOT NULL PRIMARY KEY,
  key text NOT NULL UNIQUE,
  session_id text NOT NULL,
  turn_id text,
  purpose delivery_purpose NOT NULL,
  target jsonb NOT NULL,
  nonce text NOT NULL,
  status delivery_status NOT NULL DEFAULT 'sending',
  message_id text,
  shown text,
  error text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  sent_at timestamptz(3)
);

CREATE TABLE mcp_tool_pin (
  server text NOT NULL,
  tool text NOT NULL,
  hash text NOT NULL,
  definition jsonb NOT NULL,
  accepted_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (server, tool)
);

CREATE TABLE audit_event (
  id text NOT NULL PRIMARY KEY,
  at timestamptz(3) NOT NULL DEFAULT now(),
  action text NOT NULL,
  person_id text,
  session_id text,
  subject_id text,
  data jsonb NOT NULL DEFAULT '{}'
);

CREATE TABLE span (
  id text NOT NULL PRIMARY KEY,
  turn_id text NOT NULL,
  session_id text NOT NULL,
  parent_id text,
  name text NOT NULL,
  started_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  outcome text NOT NULL DEFAULT 'ok',
  attributes jsonb NOT NULL DEFAULT '{}'
);

ALTER TABLE identity ADD FOREIGN KEY (person_id) REFERENCES person (id);
ALTER TABLE inbound_event ADD FOREIGN KEY (session_id) REFERENCES session (id);
ALTER TABLE inbound_event ADD FOREIGN KEY (person_id) REFERENCES person (id);
ALTER TABLE turn ADD FOREIGN KEY (session_id) REFERENCES session (id);
ALTER TABLE turn ADD FOREIGN KEY (person_id) REFERENCES person (id);
ALTER TABLE message ADD FOREIGN KEY (session_id) REFERENCES session (id);
ALTER TABLE message ADD FOREIGN KEY (person_id) REFERENCES person (id);
ALTER TABLE stored_result ADD FOREIGN KEY (session_id) REFERENCES session (id);
ALTER TABLE draft ADD FOREIGN KEY (session_id) REFERENCES session (id);
ALTER TABLE tool_call ADD FOREIGN KEY (session_id) REFERENCES session (id);
ALTER TABLE tool_call ADD FOREIGN KEY (turn_id) REFERENCES turn (id);
ALTER TABLE tool_call ADD FOREIGN KEY (message_id) REFERENCES message (id);
ALTER TABLE tool_call ADD FOREIGN KEY (person_id) REFERENCES person (id);
ALTER TABLE approval ADD FOREIGN KEY (call_id) REFERENCES tool_call (id);
ALTER TABLE approval ADD FOREIGN KEY (session_id) REFERENCES session (id);
ALTER TABLE failure ADD FOREIGN KEY (session_id) REFERENCES session (id);
ALTER TABLE memory ADD FOREIGN KEY (person_id) REFERENCES person (id);
ALTER TABLE memory_revision ADD FOREIGN KEY (memory_id) REFERENCES memory (id);
ALTER TABLE reminder ADD FOREIGN KEY (person_id) REFERENCES person (id);
ALTER TABLE ticket_comment ADD FOREIGN KEY (ticket_id) REFERENCES ticket (id);
ALTER TABLE delivery ADD FOREIGN KEY (session_id) REFERENCES session (id);

CREATE INDEX identity_person_id_idx ON identity (person_id);
CREATE INDEX inbound_event_session_id_id_idx ON inbound_event (session_id, id);
CREATE INDEX turn_session_id_id_idx ON turn (session_id, id);
CREATE INDEX message_turn_id_idx ON message (turn_id);
CREATE INDEX stored_result_session_id_idx ON stored_result (session_id);
CREATE INDEX tool_call_session_id_id_idx ON tool_call (session_id, id);
CREATE INDEX tool_call_turn_id_idx ON tool_call (turn_id);
CREATE INDEX tool_call_message_id_idx ON tool_call (message_id);
CREATE INDEX tool_call_tool_created_at_idx ON tool_call (tool, created_at);
CREATE INDEX approval_session_id_idx ON approval (session_id);
CREATE INDEX failure_session_id_tool_created_at_idx ON failure (session_id, tool, created_at);
CREATE INDEX memory_person_id_status_idx ON memory (person_id, status);
CREATE INDEX memory_workspace_scope_status_idx ON memory (workspace, scope, status);
CREATE INDEX memory_revision_memory_id_idx ON memory_revision (memory_id);
CREATE INDEX reminder_person_id_status_idx ON reminder (person_id, status);
CREATE INDEX ticket_workspace_status_idx ON ticket (workspace, status);
CREATE INDEX ticket_comment_ticket_id_idx ON ticket_comment (ticket_id);
CREATE INDEX delivery_session_id_idx ON delivery (session_id);
CREATE INDEX delivery_turn_id_idx ON delivery (turn_id);
CREATE INDEX audit_event_at_idx ON audit_event (at);
CREATE INDEX audit_event_session_id_idx ON audit_event (session_id);
CREATE INDEX span_turn_id_idx ON span (turn_id);
CREATE INDEX span_session_id_idx ON span (session_id);

ALTER SEQUENCE ticket_number_seq RESTART WITH 1001;

-- What the sweep and the worker look for, small whatever the tables' size.
CREATE INDEX inbound_event_untaken ON inbound_event (session_id, id) WHERE status = 'new';
CREATE INDEX session_leased ON session (lease_expires_at) WHERE lease_owner IS NOT NULL;
CREATE INDEX turn_open ON turn (session_id) WHERE status IN ('running', 'waiting');
-- At most one turn of a session runs.
CREATE UNIQUE INDEX turn_running ON turn (session_id) WHERE status = 'running';
CREATE INDEX tool_call_open ON tool_call (session_id) WHERE status IN ('approved', 'executing');
CREATE INDEX approval_open ON approval (expires_at) WHERE status = 'open';
CREATE INDEX reminder_due ON reminder (due_at) WHERE status = 'open';
CREATE INDEX delivery_sending ON delivery (created_at) WHERE status = 'sending';
CREATE INDEX inbound_event_post ON inbound_event (session_id, post_id) WHERE post_id IS NOT NULL;
CREATE INDEX turn_unlearned ON turn (id) WHERE status = 'done' AND learned_at IS NULL;

CREATE INDEX memory_words ON memory USING gin (words);
CREATE INDEX memory_subject ON memory (person_id, subject) WHERE status = 'active';

-- Status columns only move forward: a final status is never left. (`unknown` is left when a person says what
-- became of the call; an approved call may be withdrawn until it starts.)
CREATE FUNCTION keep_tool_call_forward() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status IN ('succeeded', 'failed', 'refused', 'cancelled', 'expired', 'withdrawn') AND NEW.status <> OLD.status THEN
    RAISE EXCEPTION 'tool call % is %, it cannot become %', OLD.id, OLD.status, NEW.status;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER tool_call_forward BEFORE UPDATE OF status ON tool_call
  FOR EACH ROW EXECUTE FUNCTION keep_tool_call_forward();

CREATE FUNCTION keep_approval_forward() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status <> 'open' AND NEW.status <> OLD.status THEN
    RAISE EXCEPTION 'approval % is %, it cannot become %', OLD.id, OLD.status, NEW.status;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER approval_forward BEFORE UPDATE OF status ON approval
  FOR EACH ROW EXECUTE FUNCTION keep_approval_forward();

-- The audit log is append-only for everyone, our own role included.
CREATE FUNCTION keep_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only';
END $$;
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON audit_event
  FOR EACH ROW EXECUTE FUNCTION keep_audit();
CREATE TRIGGER audit_no_truncate BEFORE TRUNCATE ON audit_event
  FOR EACH STATEMENT EXECUTE FUNCTION keep_audit();
