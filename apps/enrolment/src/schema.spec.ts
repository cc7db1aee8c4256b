import { describeEntities, describeMigrations } from '@registrar/persistence/testing';
import { enrolmentSchema } from './schema.ts';

describeEntities(enrolmentSchema);

describeMigrations(enrolmentSchema, {
  Enrolment1: (run) => `
    INSERT INTO courses (id, provider_application_id, course_guid, title, deleted, version)
      VALUES (${run}, 1, 'swimming', 'Swimming', false, 1);
    INSERT INTO registrations (
      realm_id, provider_application_id, registration_guid, course_guid, learner_id,
      provider_state, result_sequence, swept_sequence
    ) VALUES (1, 1, 'missed-${run}', 'swimming', 'ada@example.com', 'ready', 5, 7),
             (1, 1, 'seen-${run}', 'swimming', 'bob@example.com', 'ready', 5, 0);
    INSERT INTO registration_counts VALUES (1, 'swimming-${run}', 2, 1);
    INSERT INTO registration_day_counts VALUES (1, 'swimming-${run}', '2026-01-01', 2);
    INSERT INTO realms VALUES (${run}, 1, now());
    INSERT INTO crawled_applications (provider_application_id, synced_at) VALUES (${run}, now());
    INSERT INTO swept_pages VALUES (1, ${run}, 1, '{1}');
    INSERT INTO invitations (
      realm_id, name, enabled, license, avoid_duplicate_registrations, no_updates_allowed
    ) VALUES (1, 'swimmers-${run}', true, true, false, false);
    INSERT INTO invitation_courses SELECT max(id), 0, 1, 'swimming' FROM invitations;
    INSERT INTO invitation_seats SELECT max(id), 'swimming', 3 FROM invitations;
    INSERT INTO invitation_learners (invitation_id, learner_id, user_id)
      SELECT max(id), 'ada@example.com', 1 FROM invitations;
    INSERT INTO invitation_registrations
      SELECT max(i.id), 'ada@example.com', 'swimming', max(r.id), true
      FROM invitations AS i, registrations AS r;
    INSERT INTO stored_queries (name, query_scope, realm_id, sql)
      VALUES ('swimmers-${run}', 'realm', 1, 'SELECT 1');
    INSERT INTO query_results (reach, realm_id) VALUES ('{}', 1);
    INSERT INTO query_result_rows
      SELECT id, 1, '{}' FROM query_results
      WHERE NOT EXISTS (SELECT FROM query_result_rows AS r WHERE r.result_id = query_results.id)`,
});
