import * as jest from '@jest/globals';
import { describeEntities, describeMigrations } from '@registrar/persistence/testing';
import { catalogSchema } from './schema.ts';

describeEntities(jest, catalogSchema, ['course_changes', 'template_changes']);

describeMigrations(jest, catalogSchema, {
  Courses1: (run) => `
    INSERT INTO courses (
      id, provider_application_id, course_guid, provider_title, size, versions, registrations,
      metadata, sequence, confirmed_at
    ) VALUES (nextval('course_ids'), 1, 'swimming-${run}', 'Swimming', 1, 1, 0, '{}', 1, now());
    INSERT INTO sweeps VALUES (${run}, 1)`,
  PackageUploads1: (run) => `
    INSERT INTO package_uploads (realm_id, upload_id, size)
      VALUES (${run}, gen_random_uuid(), 4);
    INSERT INTO package_pieces
      SELECT realm_id, upload_id, 0, 'zip' FROM package_uploads WHERE realm_id = ${run}`,
  PendingCreates1: (run) => `
    INSERT INTO pending_creates (provider_application_id, course_guid, title)
      VALUES (1, 'swimming-${run}', 'Swimming')`,
  Templates1: (run) => `
    INSERT INTO templates (realm_id, name, body) VALUES (1, 'welcome-${run}', 'Welcome')`,
});
