import { describeEntities, describeMigrations } from '@registrar/persistence/testing';
import { providerSchema } from './schema.ts';

describeEntities(providerSchema);

describeMigrations(providerSchema, {
  Provider1: (run) => `
    INSERT INTO applications (app_id, name, secret_hash) VALUES ('app-${run}', 'Pool', 'hash');
    INSERT INTO courses (application_id, course_id, title)
      SELECT id, 'swimming', 'Swimming' FROM applications WHERE app_id = 'app-${run}';
    INSERT INTO course_versions (course, version, title, size, structure)
      SELECT max(id), 0, 'Swimming', 3, '{}' FROM courses;
    INSERT INTO package_files (course_version, path, encoding, size)
      SELECT max(id), 'index.html', 'identity', 3 FROM course_versions;
    INSERT INTO package_pieces SELECT max(id), 0, 'zip' FROM package_files;
    INSERT INTO import_jobs (application_id, course_id, message)
      SELECT max(id), 'swimming', 'at work' FROM applications;
    INSERT INTO registrations (
      application_id, registration_id, course, course_version, learner_id, first_name, last_name
    ) SELECT c.application_id, 'registration-${run}', c.id, v.id, 'ada', 'Ada', 'Lovelace'
      FROM courses AS c JOIN course_versions AS v ON v.course = c.id ORDER BY v.id DESC LIMIT 1;
    INSERT INTO launches (registration, token_hash, link_id, tracking, expires_at)
      SELECT max(id), 'token-${run}', 'link-${run}', true, now() FROM registrations;
    INSERT INTO launches
        (course_version, origin_label, content_key, token_hash, link_id, tracking, expires_at)
      SELECT max(id), gen_random_uuid(), gen_random_uuid(), 'preview-${run}', 'preview-${run}', false, now()
      FROM course_versions;
    INSERT INTO launch_link_keys (kid, sealed_key) VALUES ('key-${run}', 'sealed');
    INSERT INTO sco_states (registration, activity_id)
      SELECT max(id), 'activity-1' FROM registrations;
    INSERT INTO former_instances (registration, instance, course_version, completion, success,
                                  total_seconds, global_objectives, shared_data, updated_at)
      SELECT id, 0, course_version, 'COMPLETED', 'PASSED', 60, '{}', '{}', now()
      FROM registrations ORDER BY id DESC LIMIT 1;
    INSERT INTO former_sco_states (registration, activity_id, attempts, suspended, completion, success,
                                   seconds, runtime, sittings, sitting, sequence, branch_sequences,
                                   opened_at, instance)
      SELECT registration, activity_id, attempts, suspended, completion, success,
             seconds, runtime, sittings, sitting, sequence, branch_sequences, opened_at, 0
      FROM sco_states ORDER BY registration DESC LIMIT 1;
    INSERT INTO learner_erasures (application_id, learner_id, erased_id, last_registration)
      SELECT max(id), 'ada', 'erased-${run}', 1 FROM applications;
    INSERT INTO tagged_learners (application_id, learner_id, tags)
      SELECT max(id), 'ada', '{sea}' FROM applications;
    INSERT INTO registration_configurations
      SELECT max(id), '{"PlayerShowCourseStructure": "false"}' FROM registrations;
    INSERT INTO postbacks (registration, application_id, due_at)
      SELECT id, application_id, now() FROM registrations ORDER BY id DESC LIMIT 1`,
});
