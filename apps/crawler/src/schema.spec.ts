import { describeEntities, describeMigrations } from '@registrar/persistence/testing';
import { crawlerSchema } from './schema.ts';

describeEntities(crawlerSchema);

describeMigrations(crawlerSchema, {
  Crawler1: (run) => `
    INSERT INTO applications (id, realm_id) VALUES (${run}, 1);
    INSERT INTO due_crawls (application_id, kind, due_at, interval_seconds)
      VALUES (${run}, 'courses', now(), 30);
    INSERT INTO due_registrations VALUES (${run}, 'registration-${run}', now(), 0);
    INSERT INTO rate_limits (application_id, tokens) VALUES (${run}, 10);
    INSERT INTO crawl_history (application_id, kind, outcome, items, started_at)
      VALUES (${run}, 'courses', 'done', 1, now());
    INSERT INTO crawl_windows (application_id, kind, sequence)
      VALUES (${run}, 'all-registrations', ${run})`,
});
