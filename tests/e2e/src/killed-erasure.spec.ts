import { afterAll, beforeAll, expect, it } from 'vitest';
import { deleteNamespace } from '@registrar/bus/testing';
import { generateMasterKey } from '@registrar/platform';
import {
  createTestDatabase,
  eventually,
  findBroker,
  freePort,
  SupervisedProcess,
  type TestDatabase,
} from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const entry = fileURLToPath(new URL('../../../apps/provider/dist/main.js', import.meta.url));
const registrations = 350;
const secretKey = 'secret';

/** An application with registrations of one learner, whose rows name her in every column that can. */
const sample = `
  SET search_path = provider;
  INSERT INTO applications (app_id, name, secret_hash)
    VALUES ('app', 'Pool', '\\x${createHash('sha256').update(secretKey).digest('hex')}');
  INSERT INTO courses (application_id, course_id, title)
    SELECT id, 'swimming', 'Swimming' FROM applications;
  INSERT INTO course_versions (course, version, title, size, structure)
    SELECT id, 0, 'Swimming', 3, '{}' FROM courses;
  INSERT INTO registrations (application_id, registration_id, course, course_version, learner_id,
                             email, first_name, last_name, shared_data)
    SELECT c.application_id, n, c.id, v.id, 'margaret', 'margaret@example.com', 'margaret', 'margaret',
           '{"notes": "margaret"}'
    FROM courses AS c JOIN course_versions AS v ON v.course = c.id, generate_series(1, ${registrations}) AS n;
  INSERT INTO launches (registration, token_hash, link_id, tracking, redirect_url, expires_at)
    SELECT id, id::text::bytea, id, true, 'https://a.example/margaret', now() + interval '1 hour'
    FROM registrations;
  INSERT INTO sco_states (registration, activity_id, runtime)
    SELECT id, 'first', '{"core": {"student_name": "margaret"}}' FROM registrations`;

describeWith(
  await findBroker(),
  'a provider process that is killed (SIGKILL) while it erases a learner',
  (broker) => {
    const namespace = `test-${randomBytes(6).toString('hex')}`;
    let directory: string;
    let server: TestDatabase;
    let database: pg.Client;
    let locking: pg.Client;
    let provider: SupervisedProcess;
    let port: number;

    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), 'registrar-erasure-'));
      const keyFile = join(directory, 'launch.key');
      await writeFile(keyFile, generateMasterKey());
      server = await createTestDatabase();
      port = await freePort();
      const environment = {
        DATABASE_URL: server.url,
        AMQP_URL: broker,
        BUS_NAMESPACE: namespace,
        BUS_ACCOUNTS: 'shared',
        PROVIDER_PORT: String(port),
        LAUNCH_KEY_FILE: keyFile,
      };
      const logFile = join(directory, 'provider.log');
      provider = await SupervisedProcess.start('provider', { entry, environment, logFile });
      database = new pg.Client({ connectionString: server.url });
      await database.connect();
      await database.query(sample);
      locking = new pg.Client({ connectionString: server.url });
      await locking.connect();
    });
    afterAll(async () => {
      await provider?.stop();
      await locking?.end();
      await database?.end();
      await server?.drop();
      await deleteNamespace(broker, namespace);
      await rm(directory, { recursive: true, force: true });
    });

    const count = async (from: string): Promise<number> => {
      const { rows } = await database.query<{ count: string }>(`SELECT count(*) FROM ${from}`);
      return Number(rows[0]?.count);
    };
    const rowsOfLearner = (table: string) => count(`${table} AS t WHERE t::text LIKE '%margaret%'`);

    it('nothing of the learner remains after its successor has started', async () => {
      await locking.query('BEGIN');
      await locking.query(
        `SELECT FROM provider.registrations WHERE registration_id = '250' FOR UPDATE`,
      );
      const authorization = `Basic ${Buffer.from(`app:${secretKey}`).toString('base64')}`;
      const url = `http://localhost:${port}/api/v2/learner/margaret/delete-information?userEmail=a@example.com`;
      const { status } = await fetch(url, { method: 'POST', headers: { authorization } });
      expect(status).toBe(204);
      const isBlocked = `pg_stat_activity
        WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`;
      await eventually('a step waits for the locked registration', async () => {
        return (await count(isBlocked)) > 0;
      });
      provider.kill();
      const remaining = await count(`registrations WHERE learner_id = 'margaret'`);
      expect(remaining).toBeGreaterThan(0);
      expect(remaining).toBeLessThan(registrations);
      await locking.query('ROLLBACK');
      await provider.ready();
      await eventually('the erasure has been completed', async () => {
        return (await count('learner_erasures')) === 0;
      });
      for (const table of ['registrations', 'launches', 'sco_states', 'outbox']) {
        expect([table, await rowsOfLearner(table)]).toEqual([table, 0]);
      }
      expect(await count(`launches WHERE expires_at > now()`)).toBe(0);
      expect(await count('registrations')).toBe(registrations);
    });
  },
);
