-- Also where a session plays a replica (session_replication_role), in which ordinary triggers do not fire.
ALTER TABLE audit_event ENABLE ALWAYS TRIGGER audit_append_only;
ALTER TABLE audit_event ENABLE ALWAYS TRIGGER audit_no_truncate;
