import { asOperator } from '@registrar/e2e/operator';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { registrationQuery } from '../baselines/queries.ts';
import { measureDownload } from '../load/download.ts';
import { compareSystems, type CompareResult, type Target } from '../results.ts';
import { measureRounds } from '../rounds.ts';
import type { Comparison } from '../scenario.ts';
import { addRealm } from '../system/add-realm.ts';
import { ApiAccess } from '../system/api-access.ts';
import { insertCourses, insertRegistrations, ownerOf } from '../system/fill.ts';
import type { Installation } from '../system/installation.ts';
import { residentMemoryOf } from '../system/process-usage.ts';

const registrationCounts = { short: 30_000, long: 1_000_000 } as const;
const courses = 20;

/** The least part of COPY's bytes a second that a format must reach. */
const minRates = { json: 0.4, xml: 0.25, csv: 0.5 } as const;
const absolute: readonly Target[] = [
  { figure: 'firstByteMs', max: 150 },
  { figure: 'growthMb', max: 96 },
];

export const exportRegistrations: Comparison = {
  name: 'export',
  measures: "all registrations as JSON, XML and CSV, beside PostgreSQL's COPY",
  run: async (installation, { long }) => {
    const count = registrationCounts[long ? 'long' : 'short'];
    const { access, applicationId } = await fill(installation, count);
    const { databaseUrl, processes, system } = installation;
    const { PostgreSQL } = processes.distributed;
    const copy = () =>
      measureDownload(() => startCopy(databaseUrl, applicationId), {
        processes: PostgreSQL ? { PostgreSQL } : {},
      });
    const before = new Map(system.processes().map((pid) => [pid, residentMemoryOf(pid)]));
    const results: CompareResult[] = [];
    for (const [format, min] of Object.entries(minRates)) {
      const url = access.url(`registration.${format}`);
      const rounds = await measureRounds([
        {
          system: 'distributed',
          measure: () =>
            measureDownload(() => url, { processes: processes.distributed, memoryBefore: before }),
        },
        { system: 'COPY', measure: copy },
      ]);
      const scenario = `export of ${count.toLocaleString('en')} registrations, ${format.toUpperCase()}`;
      const targets: Target[] = [{ figure: 'rate', baseline: 'COPY', min }, ...absolute];
      results.push(compareSystems(scenario, 'MB', rounds, targets));
    }
    return results;
  },
};

async function fill({ system, database }: Installation, count: number) {
  const { applicationId, pair } = await asOperator(system, (bus) => addRealm(bus, 'export'));
  const prefix = 'exported-';
  await insertCourses(database, { applicationId, count: courses, prefix });
  const owner = await ownerOf(database, applicationId);
  await insertRegistrations(database, { ...owner, count, prefix, courses });
  return { access: await ApiAccess.create(system.quickstart, pair), applicationId };
}

/** Starts a COPY of the same rows to a client, as CSV. */
async function startCopy(databaseUrl: string, applicationId: number) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const query = registrationQuery(`r.provider_application_id = ${applicationId}`);
  const stream = client.query(copyTo(`COPY (${query}) TO STDOUT WITH (FORMAT csv, HEADER)`));
  stream.once('close', () => void client.end());
  return stream;
}
