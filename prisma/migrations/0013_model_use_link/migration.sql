-- What is charged to a person that has become part of another one counts for that one's limit, as all else does.
CREATE TRIGGER model_use_link BEFORE INSERT ON model_use
  FOR EACH ROW WHEN (NEW.person_id IS NOT NULL) EXECUTE FUNCTION follow_link();

UPDATE model_use u SET person_id = p.linked_to FROM person p WHERE p.id = u.person_id AND p.linked_to IS NOT NULL;
