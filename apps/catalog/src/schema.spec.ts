import { describeEntities, describeMigrations } from '@registrar/persistence/testing';
import { catalogSchema } from './schema.ts';

describeEntities(catalogSchema);

describeMigrations(catalogSchema, {
  Catalog1: (run) => `
    INSERT INTO courses (
      id, provider_application_id, course_guid, provider_title, size, versions,
      metadata, sequence, confirmed_at
    ) VALUES (nextval('course_ids'), 1, 'swimming-${run}', 'Swimming', 1, 1, '{}', 1, now());
    INSERT INTO registration_counts VALUES (1, 'swimming-${run}', 1, 1);
    INSERT INTO sweeps VALUES (${run}, 1);
    INSERT INTO package_uploads (realm_id, upload_id, attempt_id, size)
      VALUES (${run}, gen_random_uuid(), gen_random_uuid(), 4);
    INSERT INTO package_pieces
      SELECT realm_id, upload_id, 0, 'zip' FROM package_uploads WHERE realm_id = ${run};
    INSERT INTO pending_creates (provider_application_id, course_guid, title)
      VALUES (1, 'swimming-${run}', 'Swimming');
    INSERT INTO templates (realm_id, name, body) VALUES (1, 'welcome-${run}', 'Welcome')`,
});
