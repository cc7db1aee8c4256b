import { BalancedClient, compare, type Findings, Ledger, Load } from '@registrar/chaos';
import { DedicatedPostgres } from '@registrar/persistence/testing';
import { DedicatedBroker, eventually, freePort, SeededRandom } from '@registrar/testing';
import { setTimeout as pause } from 'node:timers/promises';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import * as z from 'zod';
import { ArchivedPostgres } from './archived-postgres.ts';
import { crawlAll } from './crawl-all.ts';
import { countEvents, deleteQueues } from './empty-queues.ts';
import { startObjectStore } from './object-store.ts';
import { findPostgresPrograms } from './programs.ts';
import { finish, launchSome } from './provider-ahead.ts';
import { prepareApps } from './start-apps.ts';
import { Steps } from './steps.ts';

const clientCount = 4;

/** Seconds of load before and after the base backup, and at least until the mistake. */
const loadSeconds = 20;

/** Launches that are open at the moment to which the database is restored, and that begin afterwards. */
const launchCount = 5;

const reconcileTimeoutMs = 180_000;

const adoptedList = z.array(z.object({ registration_guid: z.string() }));
const newestRow = z.object({ newest: z.date() });

/** The names of the steps between which the installation is down, or not reconciled. */
export const milestones = {
  stop: 'stop the apps',
  ready: 'start the apps',
  reconciled: 'wait until every result is the newest of the provider',
} as const;

/** The result of a drill. */
export interface DrillResult {
  readonly steps: Steps;
  /** What was acknowledged before the moment to which the database was restored, and after it. */
  readonly before: Ledger;
  readonly after: Ledger;
  readonly findings: Findings;
  /** Events of the time after the moment that were in the broker. */
  readonly eventsDropped: number;
  /** Registrations that the provider alone had, and those of them that the command line lists. */
  readonly providerOnly: ReadonlySet<string>;
  readonly adopted: ReadonlySet<string>;
  /** The statuses of requests with a key from before the moment, and with one from after it. */
  readonly keyBefore: number;
  readonly keyAfter: number;
  /** Milliseconds between the loss of the server and the newest write that was archived. */
  readonly lostMs: number;
}

/**
 * Backs a database up while clients use it, loses it after a mistake, restores it to the moment before,
 * and reconciles it with a course provider that is ahead and a broker that is empty.
 *
 * @param directory receives all data and logs
 * @param resources receives everything that must be disposed of
 */
export async function runDrill(
  directory: string,
  resources: AsyncDisposableStack,
): Promise<DrillResult> {
  const steps = new Steps();
  const programs = await findPostgresPrograms();
  const servers = join(directory, 'postgres');
  await mkdir(servers);
  const store = resources.adopt(await startObjectStore(join(directory, 'store')), (each) =>
    each.close(),
  );
  const broker = resources.adopt(await DedicatedBroker.start(), (each) => each.dispose());
  const hosted = resources.adopt(await DedicatedPostgres.start(), (each) => each.dispose());
  const place = { programs, directory: servers, store, port: await freePort() };
  const adopt = (server: ArchivedPostgres) => resources.adopt(server, (each) => each.stop());
  const lost = adopt(await ArchivedPostgres.create({ ...place, name: 'database' }));
  const apps = await prepareApps(directory, {
    brokerUrl: broker.url,
    databaseUrl: lost.url,
    providerDatabaseUrl: hosted.url,
  });
  resources.defer(() => apps.stop());
  await apps.start();
  const { realm_guid, realm_secret_key, course_guid } = await apps.facts();
  const access = { realm_guid, realm_secret_key };
  const clientOf = (ledger: Ledger) => new BalancedClient([apps.baseUrl], access, ledger);
  const loadOn = (ledger: Ledger, seed: number, name: string) => {
    const random = new SeededRandom(seed);
    const load = new Load(clientOf(ledger), ledger, random, [course_guid], name);
    load.add(clientCount);
    return load;
  };

  const before = new Ledger();
  const loadBefore = loadOn(before, 1, 'before');
  await pause(loadSeconds * 1_000);
  await steps.run('take a base backup under load', () => lost.backUp());
  await pause(loadSeconds * 1_000);
  await loadBefore.stop();
  const open = await launchSome(clientOf(before), before, launchCount);

  const moment = await lost.moment();
  const after = new Ledger();
  const loadAfter = loadOn(after, 2, 'after');
  await finish(clientOf(after), before, open);
  await finish(clientOf(after), before, await launchSome(clientOf(after), before, launchCount));
  await steps.run('write on, until the moment is in the archive', async () => {
    await pause(loadSeconds * 1_000);
    await lost.archived(moment);
  });

  // The others go on, so that events wait in the broker for an app that has not seen them.
  await apps.stop('crawler');
  await eventually(
    'an event waits in the broker',
    async () => (await countEvents(broker.url, 'drill')) > 0,
    { intervalMs: 200 },
  );
  await lost.query('TRUNCATE enrolment.registrations CASCADE');
  const lostAt = Date.now();
  await lost.destroy();

  const stopped = loadAfter.stop();
  await steps.run(milestones.stop, () => apps.stop());
  await stopped;
  const eventsDropped = await countEvents(broker.url, 'drill');
  const [restored] = await Promise.all([
    steps.run('restore the base backup and the log, to the moment', async () =>
      adopt(
        await ArchivedPostgres.restore({ ...place, name: 'database-2' }, 'database', moment.at),
      ),
    ),
    steps.run('meanwhile, delete the queues of the broker', () => deleteQueues(broker)),
  ]);
  const known = new Set(
    await guidsOf(restored.url, 'enrolment.registrations', 'registration_guid'),
  );
  const startedAt = new Date();
  await steps.run(milestones.ready, () => apps.start());
  await steps.run('registrar crawl all, until every sweep is done', () =>
    crawlAll((...words) => apps.registrar(...words)),
  );
  const findings = await steps.run(milestones.reconciled, () =>
    settle(() => compare(before, restored.url, startedAt, hosted.url)),
  );
  const atProvider = await guidsOf(hosted.url, 'provider.registrations', 'registration_id');
  const adopted = adoptedList.parse(
    await apps.registrar('crawl', 'adopted', '--since', startedAt.toISOString()),
  );
  const keyStatus = async ([token = '']: readonly string[]) =>
    (await fetch(`${apps.baseUrl}/course.json?api_key=${encodeURIComponent(token)}`)).status;
  const keyBefore = await keyStatus(before.apiKeys);
  const keyAfter = await keyStatus(after.apiKeys);
  await apps.stop();
  await restored.stop();
  const newest = await steps.run('restore all that was archived, on a copy', async () => {
    const copy = adopt(
      await ArchivedPostgres.restore({ ...place, name: 'database-3' }, 'database', null),
    );
    const [row] = await copy.query(
      `SELECT max(created_at) AS newest FROM (
         SELECT created_at FROM identity.api_keys UNION ALL
         SELECT created_at FROM enrolment.registrations
       ) AS written`,
    );
    return newestRow.parse(row).newest;
  });
  return {
    steps,
    before,
    after,
    findings,
    eventsDropped,
    keyBefore,
    keyAfter,
    providerOnly: new Set(atProvider.filter((guid) => !known.has(guid))),
    adopted: new Set(adopted.map(({ registration_guid: guid }) => guid)),
    lostMs: lostAt - newest.getTime(),
  };
}

/** Compares until nothing is found, for as long as the reconciliation may take. */
async function settle(find: () => Promise<Findings>): Promise<Findings> {
  const deadline = Date.now() + reconcileTimeoutMs;
  for (;;) {
    const findings = await find();
    const isClean = Object.values(findings).every((found: readonly string[]) => found.length === 0);
    if (isClean || Date.now() > deadline) return findings;
    await pause(500);
  }
}

async function guidsOf(url: string, table: string, column: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ guid: string }>(`SELECT ${column} AS guid FROM ${table}`);
    return rows.map(({ guid }) => guid);
  } finally {
    await client.end();
  }
}
