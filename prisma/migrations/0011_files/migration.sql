-- A file that came with a result is shown to people under its name. What has a name is a file, whatever its type: its
-- text holds the bytes in base64.
ALTER TABLE stored_result ADD COLUMN name text;
