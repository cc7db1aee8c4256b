import { describeEntities, describeMigrations } from '@registrar/persistence/testing';
import { consoleSchema } from './schema.ts';

describeEntities(consoleSchema);

describeMigrations(consoleSchema, {
  Console1790000000000: (run) => `
    INSERT INTO sessions (token_hash, account, name, roles, ends_at)
    VALUES ('session-${run}', 'ada', 'ada@example.com', '{"operator": true, "realms": {}}', now());
    INSERT INTO sign_in_links (token_hash, ends_at) VALUES ('link-${run}', now());
    INSERT INTO cookie_key (key) VALUES ('key') ON CONFLICT DO NOTHING;
    INSERT INTO samples (taken_at, sample) VALUES (now(), '{}')`,
});
