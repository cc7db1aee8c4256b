import type { ICluster } from '@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1/Cluster';
import type { IDatabase } from '@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1/Database';
import type { IScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject';
import type { IJob } from 'kubernetes-models/batch/v1/Job';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contextSchemas, tempFileLimit } from '@registrar/persistence';
import { DedicatedPostgres } from '@registrar/persistence/testing';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import pg from 'pg';
import { describeManifests } from './describe-manifests.ts';
import { type Manifest, ofKind, render } from './manifests.ts';

const run = promisify(execFile);

/** Prepares a PostgreSQL as CloudNativePG does from the manifests, and runs the migrations of the Job. */
async function prepareDatabase(
  { url }: DedicatedPostgres,
  manifests: readonly Manifest[],
): Promise<(role: string) => string> {
  const { managed } = first<ICluster>(manifests, 'Cluster').spec;
  const { schemas = [], extensions = [] } = first<IDatabase>(manifests, 'Database').spec;
  await execute(url, [
    ...(managed?.roles ?? []).map(({ name }) => `CREATE ROLE ${name} LOGIN PASSWORD '${name}'`),
    ...extensions.map(({ name, schema }) => `CREATE EXTENSION ${name} SCHEMA ${schema}`),
    ...schemas.map(({ name, owner }) => `CREATE SCHEMA ${name} AUTHORIZATION ${owner}`),
  ]);
  const urlOf = (role: string): string =>
    Object.assign(new URL(url), { username: role, password: role }).href;
  const { containers } = first<IJob>(manifests, 'Job').spec!.template.spec!;
  await Promise.all(
    containers.map(({ name, command = [] }) =>
      run(process.execPath, command.slice(1), { env: { DATABASE_URL: urlOf(name) } }),
    ),
  );
  return urlOf;
}

const first = <Type>(manifests: readonly Manifest[], kind: string) =>
  ofKind<Type>(manifests, kind)[0]!;

async function execute(url: string, statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

describeManifests('in Kubernetes, the database', () => {
  const manifests = render('k8s/overlays/production');

  it('the database has bounded temporary files', () => {
    const { parameters } = first<ICluster>(manifests, 'Cluster').spec.postgresql ?? {};
    expect(parameters).toMatchObject({ temp_file_limit: tempFileLimit });
  });

  describe('the database of the manifests, migrated by their Job', () => {
    const contexts = Object.keys(contextSchemas);
    let server: DedicatedPostgres;
    const clients = new Map<string, pg.Client>();

    beforeAll(async () => {
      server = await DedicatedPostgres.start();
      const urlOf = await prepareDatabase(server, manifests);
      for (const context of contexts) {
        const client = new pg.Client({ connectionString: urlOf(context) });
        await client.connect();
        clients.set(context, client);
      }
    });
    afterAll(async () => {
      for (const client of clients.values()) await client.end();
      await server.dispose();
    });
    const query = async (role: string, sql: string) =>
      (await clients.get(role)!.query<Record<string, unknown>>(sql)).rows;

    it('every role can use only the schemas of its context', async () => {
      const reached = await Promise.all(
        contexts.map(async (role) => {
          const rows = await query(
            role,
            `SELECT nspname AS schema FROM pg_namespace
             WHERE has_schema_privilege(oid, 'USAGE') AND nspname !~ '^pg_|^information_schema$'
               AND nspname <> 'public'
             ORDER BY nspname`,
          );
          return [role, rows.map(({ schema }) => schema)];
        }),
      );
      expect(Object.fromEntries(reached)).toEqual(contextSchemas);
      await expect(query('catalog', 'SELECT FROM identity.realms')).rejects.toThrow(
        'permission denied for schema identity',
      );
      await expect(query('catalog', 'CREATE SCHEMA more')).rejects.toThrow('permission denied');
      await expect(query('catalog', 'CREATE TABLE public.more ()')).rejects.toThrow(
        'permission denied',
      );
    });

    describe('the KEDA query counts', () => {
      const application = (columns: string, values: string) =>
        `INSERT INTO crawler.applications (id, realm_id${columns}) VALUES (1, 1${values})`;
      const crawl = (kind: string, at: string) =>
        `INSERT INTO crawler.due_crawls (application_id, kind, due_at, interval_seconds)
         VALUES (1, '${kind}', ${at}, 30)`;
      const registration = (name: string, at: string) =>
        `INSERT INTO crawler.due_registrations VALUES (1, '${name}', ${at}, 0)`;
      const window = (column: string, at: string) =>
        `INSERT INTO crawler.crawl_windows (application_id, kind, sequence, ${column})
         VALUES (1, 'all-registrations', 1, ${at})`;
      const idle = application('', '');
      const past = `now() - interval '1 s'`;
      const future = `now() + interval '1 min'`;

      it.each([
        ['zero without provider applications', 0, []],
        [
          'no application whose work is not due yet',
          0,
          [idle, crawl('courses', future), registration('a', future)],
        ],
        ['an application with a due crawl', 1, [idle, crawl('courses', past)]],
        ['an application with a due registration', 1, [idle, registration('a', past)]],
        [
          'an application once, however much work is due',
          1,
          [
            idle,
            crawl('courses', past),
            crawl('changed-registrations', past),
            registration('a', past),
            registration('b', past),
          ],
        ],
        ['an application with an active lease', 1, [application(', lease_until', `, ${future}`)]],
        [
          'an application with an expired lease and a due crawl',
          1,
          [application(', lease_until', `, ${past}`), crawl('courses', past)],
        ],
        [
          'no application that is paused by its rate limit',
          0,
          [application(', serve_after', `, ${future}`), crawl('courses', past)],
        ],
        ['each window of a list', 2, [idle, window('due_at', past), window('due_at', past)]],
        [
          'windows that are being crawled, though the rate limit has made others wait',
          1,
          [
            application(', serve_after', `, ${past}`),
            window('due_at', past),
            window('lease_until', future),
          ],
        ],
      ])('%s', async (_what, expected, statements) => {
        const [trigger] = first<IScaledObject>(manifests, 'ScaledObject').spec.triggers;
        await query('crawler', 'BEGIN');
        for (const statement of statements) await query('crawler', statement);
        const [row] = await query('crawler', trigger!.metadata['query']!);
        await query('crawler', 'ROLLBACK');
        expect(Number(row?.['count'])).toBe(expected);
      });
    });
  });
});
