import { embeddedPostgresUrl } from '@registrar/persistence/testing';
import { startStandaloneSystem } from '@registrar/standalone/testing';
import pg from 'pg';
import { startBare } from '../baselines/start-baselines.ts';
import { compareSystems } from '../results.ts';
import { measureRounds } from '../rounds.ts';
import type { Comparison } from '../scenario.ts';
import { ApiAccess } from '../system/api-access.ts';
import { demoOwner, insertCourses } from '../system/fill.ts';
import { postgresOf, standaloneSettings } from '../system/installation.ts';
import { requireSameResponses } from '../system/same-responses.ts';
import { courseCount, coursePrefix } from './course-lists.ts';

const connections = 32;

export const standaloneIndex: Comparison = {
  name: 'standalone-index',
  measures: '20 courses by API key from the standalone form',
  run: async ({ load }) => {
    await using resources = new AsyncDisposableStack();
    const system = resources.adopt(await startStandaloneSystem(standaloneSettings), (each) =>
      each.dispose(),
    );
    const databaseUrl = await embeddedPostgresUrl(system.dataDirectory);
    const database = new pg.Client({ connectionString: databaseUrl });
    await database.connect();
    resources.defer(() => database.end());
    const { applicationId } = await demoOwner(database);
    await insertCourses(database, { applicationId, count: courseCount - 1, prefix: coursePrefix });
    const bare = await startBare(resources, databaseUrl);
    const access = await ApiAccess.create(system.quickstart);
    const urls = {
      standalone: access.url('course.json'),
      bare: `${bare.url}/course.json?application=${applicationId}`,
    };
    await requireSameResponses(urls);
    const [pid = 0] = system.processes();
    const PostgreSQL = postgresOf(pid);
    const pids = { standalone: pid, bare: bare.pids.HTTP };
    const rounds = await measureRounds(
      (['standalone', 'bare'] as const).map((name) => ({
        system: name,
        measure: () =>
          load.measure(
            { requests: [{ url: urls[name] }], pace: { connections }, status: 200 },
            { HTTP: { pids: [pids[name]] }, PostgreSQL },
          ),
      })),
    );
    const scenario = `course index, ${connections} connections, standalone`;
    const targets = [{ figure: 'rate', baseline: 'bare', min: 0.9 }] as const;
    return [compareSystems(scenario, 'requests', rounds, targets)];
  },
};
