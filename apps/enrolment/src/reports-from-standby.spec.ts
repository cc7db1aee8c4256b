import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type InputOf } from '@registrar/bus';
import {
  type AccessScope,
  findLatestRegistrations,
  indexRegistrations,
  maxAgeSeconds,
} from '@registrar/contracts';
import { ReportReader, roleStatements, sql, Standby } from '@registrar/persistence';
import { DedicatedPostgres } from '@registrar/persistence/testing';
import { clock, runWithin } from '@registrar/platform';
import { eventually, testLogger, testPostgresVariable } from '@registrar/testing';
import pg from 'pg';
import { Registry } from 'prom-client';
import * as z from 'zod';
import { scopeOf } from './enrolment.fixture.ts';
import { type QueriesFixture, realmTwo, startQueriesFixture } from './queries/queries.fixture.ts';
import { enrolmentSchema } from './schema.ts';

type Filters = InputOf<typeof indexRegistrations>['filters'];

/** The address of a server for the role that an installation gives to enrolment. */
function urlOfRole(server: DedicatedPostgres): string {
  const url = new URL(server.url);
  url.username = 'enrolment';
  url.password = 'secret-of-enrolment';
  return url.href;
}

describe('reports with REPORTS_DATABASE_URL', () => {
  let primary: DedicatedPostgres;
  let standby: DedicatedPostgres;
  let onPrimary: pg.Client;
  let onStandby: pg.Client;
  let queries: QueriesFixture;
  let reports: ReportReader;

  const connect = async ({ url }: DedicatedPostgres) => {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };

  beforeAll(async () => {
    primary = await DedicatedPostgres.start();
    // A statement in the way of replay is cancelled at once.
    standby = await primary.startStandby({ max_standby_streaming_delay: '0' });
    onPrimary = await connect(primary);
    onStandby = await connect(standby);
    await onPrimary.query(roleStatements(''));
    await onPrimary.query(`ALTER ROLE enrolment PASSWORD 'secret-of-enrolment'`);
    await isReplayed();
    queries = await startQueriesFixture({
      DATABASE_URL: urlOfRole(primary),
      REPORTS_DATABASE_URL: urlOfRole(standby),
    });
    reports = queries.app.get(ReportReader);
    await queries.insert(1, 'swimming', 'ada@example.org', 'ada-in-1');
    await queries.insert(2, 'swimming', 'bob@example.org', 'bob-in-2');
    await queries.insert(3, 'swimming', 'ada@example.org', 'ada-in-3');
    for (const realmId of [1, 2]) {
      await queries.put('guids', 'SELECT registration_guid FROM registrations ORDER BY 1', {
        realmId,
      });
    }
  });
  afterAll(async () => {
    await queries?.stop();
    await onPrimary?.end();
    await onStandby?.end();
    await standby?.dispose();
    await primary?.dispose();
    clock.reset();
  });
  /** Waits until the standby shows all that the primary has committed. */
  const isReplayed = async () => {
    const { rows } = await onPrimary.query('SELECT pg_current_wal_flush_lsn() AS position');
    const { position } = rows[0] as { position: string };
    await eventually('the standby has replayed the log', async () => {
      const replayed = await onStandby.query(
        sql`SELECT FROM pg_last_wal_replay_lsn() AS lsn WHERE lsn >= ${position}::pg_lsn`,
      );
      return replayed.rowCount === 1;
    });
  };
  /** Lets a report find that the data of the standby are at most as old as this moment. */
  const noteReplayed = async () => {
    await reports.notePosition();
    await isReplayed();
  };
  const pauseReplay = async () => {
    await onStandby.query('SELECT pg_wal_replay_pause()');
    await eventually('replay is paused', async () => {
      const { rows } = await onStandby.query('SELECT pg_get_wal_replay_pause_state() AS state');
      return (rows[0] as { state: string }).state === 'paused';
    });
  };
  const resumeReplay = () => onStandby.query('SELECT pg_wal_replay_resume()');

  const report = async (scope: AccessScope = scopeOf(), mayBeOld = true) => {
    const { rows, ageSeconds } = await queries.run('guids', {}, { scope, mayBeOld });
    return { guids: rows.map((row) => row['registration_guid']), ageSeconds };
  };
  const list = async (
    filters: Filters = {},
    parts: Partial<InputOf<typeof indexRegistrations>> = {},
  ) => {
    const { items, ...rest } = await queries.bus.request(indexRegistrations, {
      ...{ scope: scopeOf(), filters, lastOnly: false, includeInactive: false },
      ...{ includeDeleted: true, mayBeOld: true, cursor: null, limit: 100, ...parts },
    });
    return { guids: items.map((item) => item.registration_guid), ...rest };
  };
  const reads = async (labels: Record<string, string>) => {
    const { values } = (await queries.app
      .get(Registry)
      .getSingleMetric('registrar_report_reads_total')!
      .get()) as { values: { labels: object; value: number }[] };
    const found = values.find((each) =>
      Object.entries(labels).every(([name, value]) => Reflect.get(each.labels, name) === value),
    );
    return found?.value ?? 0;
  };

  describe('while replay is paused', () => {
    beforeAll(async () => {
      await noteReplayed();
      await pauseReplay();
      await queries.insert(1, 'diving', 'eve@example.org', 'late');
    });
    afterAll(resumeReplay);

    it('reads stored queries and long lists from the standby, with the age of the data', async () => {
      const before = await reads({ source: 'standby' });
      const old = ['ada-in-1', 'bob-in-2'];
      for (const shown of [
        await report(),
        await list(),
        await list({ courseGuids: ['diving', 'swimming'] }),
        await list({ patterns: { learnerId: ['@'] } }),
      ]) {
        expect(shown.guids).toEqual(old);
        expect(shown.ageSeconds).toBeGreaterThanOrEqual(1);
        expect(shown.ageSeconds).toBeLessThanOrEqual(maxAgeSeconds);
      }
      expect(await reads({ source: 'standby' })).toBe(before + 4);
    });

    it('reads what may not be old from the primary, without an age', async () => {
      const current = ['ada-in-1', 'bob-in-2', 'late'];
      expect(await report(scopeOf(), false)).toEqual({ guids: current, ageSeconds: undefined });
      expect(await list({}, { mayBeOld: false })).toEqual({ guids: current, next: null });
    });

    it('finds single registrations, those of a learner and those of a user in the primary', async () => {
      const found = { guids: ['late'], next: null };
      expect(await list({ registrationGuid: 'late' })).toEqual(found);
      expect(await list({ learnerId: 'Eve@example.org' })).toEqual(found);
      expect(await list({}, { lastOnly: true })).toEqual(found);
      const scope = scopeOf({ email: 'eve@example.org' });
      expect(await list({}, { scope })).toEqual(found);
      const courses = [{ applicationId: 1, courseGuid: 'diving' }];
      const request = { scope, courses, cursor: null };
      const latest = await queries.bus.request(findLatestRegistrations, request);
      expect(latest.registrations).toMatchObject([{ registration_guid: 'late' }]);
    });

    it('selects the text of a stored query, and which ones are in reach, in the primary', async () => {
      await queries.put('new', `SELECT 'new' AS text`);
      expect((await queries.run('new', {}, { mayBeOld: true })).rows).toEqual([{ text: 'new' }]);
      const out = queries.run('new', {}, { scope: realmTwo, mayBeOld: true });
      await expect(out).rejects.toMatchObject({ code: 'not-found' });
    });

    it('reads reports from the primary when the data of the standby are older than a minute', async () => {
      clock.step((maxAgeSeconds + 1) * 1_000);
      const before = await reads({ source: 'primary', cause: 'behind' });
      expect(await report()).toMatchObject({ guids: expect.arrayContaining(['late']) });
      expect((await report()).ageSeconds).toBeUndefined();
      const first = await list({}, { limit: 1 });
      expect(first.ageSeconds).toBeUndefined();
      expect(await reads({ source: 'primary', cause: 'behind' })).toBe(before + 3);
      const reason = `its data are older than ${maxAgeSeconds} s`;
      expect(queries.logLines()).toContainEqual(expect.objectContaining({ level: 'warn', reason }));
      // The list goes on with current rows, although the standby can be read again.
      await resumeReplay();
      await noteReplayed();
      expect((await report()).ageSeconds).toBeDefined();
      const rest = await list({}, { cursor: first.next });
      expect(rest).toEqual({ guids: ['bob-in-2', 'late'], next: null });
    });
  });

  it('shows each scope the same rows on the standby as on the primary', async () => {
    await noteReplayed();
    const scopes = [
      scopeOf(),
      realmTwo,
      ...[[1], [2], [3], []].map((applicationIds) => scopeOf({ applicationIds })),
      scopeOf({ email: 'ADA@example.org' }),
      scopeOf({ email: 'nobody@example.org' }),
    ];
    const shown: unknown[] = [];
    for (const scope of scopes) {
      const { guids, ageSeconds } = await report(scope);
      expect(ageSeconds).toBeDefined();
      expect(guids).toEqual((await report(scope, false)).guids);
      shown.push(guids);
      if (scope.user === null) {
        const listed = await list({}, { scope });
        expect(listed.ageSeconds).toBeDefined();
        expect(listed.guids).toEqual((await list({}, { scope, mayBeOld: false })).guids);
      }
    }
    expect(new Set(shown.map(String)).size).toBeGreaterThan(4);
  });

  it('goes on with a list of the standby at its cursor', async () => {
    await noteReplayed();
    const first = await list({}, { limit: 1 });
    expect(first).toMatchObject({ guids: ['ada-in-1'], ageSeconds: expect.any(Number) });
    const rest = await list({}, { cursor: first.next });
    expect(rest.guids[0]).toBe('bob-in-2');
    expect(rest.ageSeconds).toBeDefined();
  });

  describe('the sandbox of stored queries on the standby', () => {
    beforeEach(noteReplayed);

    /** Stores a text that the check of stored queries would refuse. */
    const store = async (name: string, text: string) => {
      await queries.database.execute(
        sql`INSERT INTO stored_queries (name, query_scope, realm_id, sql)
            VALUES (${name}, 'realm', 1, ${text})`,
      );
    };
    const run = (name: string, scope?: AccessScope) =>
      queries.run(name, {}, { mayBeOld: true, ...(scope && { scope }) });

    it('stored queries have the role, the settings and the limits of the primary on the standby', async () => {
      const names = ['search_path', 'TimeZone', 'DateStyle', 'temp_file_limit', 'registrar.realm'];
      const settings = names.map((name) => `current_setting('${name}') AS "${name}"`).join(', ');
      await store('settings', `SELECT current_user::text AS "user", ${settings}`);
      const there = await run('settings');
      expect(there.ageSeconds).toBeDefined();
      const here = await queries.run('settings');
      expect(there.rows).toEqual(here.rows);
      expect(there.rows).toMatchObject([{ user: 'enrolment', temp_file_limit: '512MB' }]);
    });

    it('stored queries change nothing on the standby, and end at the time limit', async () => {
      await store('writing', `SELECT nextval('enrolment.registrations_id_seq') AS n`);
      await expect(run('writing')).rejects.toMatchObject({ code: 'internal' });
      expect(JSON.stringify(queries.logLines().at(-1))).toContain('in a read-only transaction');
      await store('endless', 'SELECT pg_sleep(60)::text AS n');
      const endless = runWithin(500, () => run('endless'));
      await expect(endless).rejects.toMatchObject({ code: 'expired' });
    });

    it('stored queries leave no reach behind on a connection to the standby', async () => {
      await run('guids');
      await store('reach', `SELECT current_setting('registrar.user') AS text`);
      const { rows } = await run('reach', scopeOf({ email: 'ada@example.org' }));
      expect(rows).toEqual([{ text: 'ada@example.org' }]);
      expect((await run('reach')).rows).toEqual([{ text: '' }]);
    });

    it('runs built-in queries, and views with functions, with the rows of the primary', async () => {
      const scope = scopeOf();
      await queries.database.execute(
        sql`INSERT INTO invitations (realm_id, name, enabled, license, custom,
              avoid_duplicate_registrations, no_updates_allowed)
            VALUES (1, 'spring', true, true, 'no JSON', false, false)`,
      );
      await queries.put('custom', 'SELECT name, custom FROM invitations');
      await isReplayed();
      const { rows, ageSeconds } = await run('custom');
      expect(ageSeconds).toBeDefined();
      expect(rows).toEqual([{ name: 'spring', custom: null }]);
      for (const name of ['completion_by_course', 'crawl_health', 'license_seats']) {
        const there = await run(name, scope);
        expect(there.ageSeconds).toBeDefined();
        expect(there.rows).toEqual((await queries.run(name, {}, { scope })).rows);
      }
    });

    it('repeats a query on the primary that the replay has cancelled, without rows of the first run', async () => {
      // Rows arrive before the sleep, which the primary does not make.
      await store(
        'slow',
        `SELECT n FROM generate_series(1, 2000) AS s (n), registrations
         WHERE registration_guid = 'ada-in-1'
           AND (n < 1900 OR NOT pg_is_in_recovery() OR pg_sleep(60)::text = '')`,
      );
      const before = await reads({ source: 'primary', cause: 'conflict' });
      const slow = run('slow');
      await eventually('the query runs on the standby', async () => {
        const { rowCount } = await onStandby.query(
          `SELECT FROM pg_stat_activity WHERE usename = 'enrolment' AND wait_event = 'PgSleep'`,
        );
        return rowCount === 1;
      });
      await onPrimary.query(
        'BEGIN; LOCK TABLE enrolment.registrations IN ACCESS EXCLUSIVE MODE; COMMIT',
      );
      const { rows, ageSeconds } = await slow;
      expect(rows.map((row) => row['n'])).toEqual(Array.from({ length: 2_000 }, (_, n) => n + 1));
      expect(ageSeconds).toBeUndefined();
      expect(await reads({ source: 'primary', cause: 'conflict' })).toBe(before + 1);
    });
  });

  it('reads no server that is not a standby of the primary', async () => {
    const reasons: unknown[] = [];
    for (const url of [primary.url, process.env[testPostgresVariable]!]) {
      const log = testLogger();
      const other = new Standby(enrolmentSchema, url);
      const reader = new ReportReader(queries.database, other, new Registry(), log.logger);
      const { value, ageSeconds } = await reader.read(async (source) => {
        await source.many(z.object({ one: z.number() }), sql`SELECT 1 AS one`);
        return source.database === queries.database;
      }, true);
      await other.close();
      expect([value, ageSeconds]).toEqual([true, null]);
      reasons.push(log.lines().at(-1)?.['reason']);
    }
    expect(reasons).toEqual(Array(2).fill(expect.stringContaining('no standby of the server')));
  });

  it('reads reports from the primary while the standby is down, and from the standby afterwards', async () => {
    await noteReplayed();
    expect((await report()).ageSeconds).toBeDefined();
    await standby.crash();
    const before = await reads({ source: 'primary', cause: 'unavailable' });
    for (const shown of [await report(), await list()]) {
      expect(shown.guids).toEqual(['ada-in-1', 'bob-in-2', 'late']);
      expect(shown.ageSeconds).toBeUndefined();
    }
    expect(await reads({ source: 'primary', cause: 'unavailable' })).toBe(before + 2);
    await standby.startAgain();
    onStandby = await connect(standby);
    await noteReplayed();
    // It is not tried again at once.
    expect((await report()).ageSeconds).toBeUndefined();
    clock.step(10_000);
    expect((await report()).ageSeconds).toBeDefined();
    expect(queries.logLines()).toContainEqual(
      expect.objectContaining({ level: 'info', msg: 'reports are read from the standby again' }),
    );
  });
});
