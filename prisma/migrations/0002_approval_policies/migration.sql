-- Who may decide, where the card goes and when it is reminded of: bound to an approval as its policy was at the time.
ALTER TABLE approval
  ADD COLUMN approvers text[] NOT NULL DEFAULT '{requester}',
  ADD COLUMN four_eyes boolean NOT NULL DEFAULT false,
  ADD COLUMN rule text,
  ADD COLUMN place jsonb,
  ADD COLUMN grantable boolean NOT NULL DEFAULT false,
  ADD COLUMN grant_keys text[] NOT NULL DEFAULT '{}',
  ADD COLUMN grant_id text,
  ADD COLUMN remind_at timestamptz(3),
  ADD COLUMN reminded_at timestamptz(3);

-- The members of the groups that the settings declare, as they are now.
CREATE TABLE approver_group (
  name text NOT NULL,
  member text NOT NULL,
  PRIMARY KEY (name, member)
);

-- What a person has allowed for good: this tool with these arguments, in this session.
CREATE TABLE approval_grant (
  id text NOT NULL PRIMARY KEY,
  session_id text NOT NULL,
  person_id text NOT NULL,
  approval_id text NOT NULL UNIQUE,
  tool text NOT NULL,
  definition_hash text NOT NULL,
  arguments jsonb NOT NULL,
  exact boolean NOT NULL,
  title text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  revoked_at timestamptz(3),
  revoked_by text
);

ALTER TABLE approval_grant ADD FOREIGN KEY (session_id) REFERENCES session (id);
ALTER TABLE approval_grant ADD FOREIGN KEY (person_id) REFERENCES person (id);

CREATE INDEX approval_grant_session_id_idx ON approval_grant (session_id);
CREATE INDEX approval_grant_person_id_idx ON approval_grant (person_id);
CREATE INDEX approval_reminder ON approval (remind_at) WHERE status = 'open' AND reminded_at IS NULL;
CREATE INDEX approval_place ON approval ((place->>'channel'), (place->>'room')) WHERE place IS NOT NULL;
