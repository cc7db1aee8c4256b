import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { table } from './table.ts';

/** The most statements, and functions of an app, that are printed. */
const shownStatements = 15;
const shownFunctions = 12;

/** The most characters of a statement that are printed. */
const shownCharacters = 120;

/** A profile of V8 (`node --cpu-prof`). Times are microseconds; `startTime` is of the clock of `process.hrtime`. */
interface CpuProfile {
  readonly startTime: number;
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: {
      readonly functionName: string;
      readonly url: string;
      readonly lineNumber: number;
    };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Where the processor time of a run goes: by statement of PostgreSQL, and by function of each app. */
export class RunProfile {
  #beganAt = 0;

  private constructor(private readonly directory: string) {}

  static async create(): Promise<RunProfile> {
    return new RunProfile(await mkdtemp(join(tmpdir(), 'registrar-profile-')));
  }

  /** The settings of PostgreSQL under which it counts statements. */
  readonly postgresSettings = {
    shared_preload_libraries: 'pg_stat_statements',
    'pg_stat_statements.track_planning': 'on',
  };

  /** The option of Node under which an app writes a profile when it ends. */
  get nodeOption(): string {
    return `--cpu-prof --cpu-prof-dir=${this.directory}`;
  }

  /** Begins to count: after the start of the system. */
  async begin(database: pg.Client): Promise<void> {
    await database.query('CREATE EXTENSION pg_stat_statements SCHEMA public');
    this.#beganAt = Number(process.hrtime.bigint() / 1_000n);
  }

  /** The statements that have taken most time so far, planning included. */
  async statements(database: pg.Client): Promise<string> {
    const { rows } = await database.query<
      Record<'share' | 'calls' | 'plan' | 'run' | 'text', string>
    >(
      `SELECT round(100 * (total_plan_time + total_exec_time)::numeric
                    / sum(total_plan_time + total_exec_time) OVER ()::numeric, 1)::text AS share,
              calls::text, round(total_plan_time::numeric / greatest(calls, 1), 3)::text AS plan,
              round(total_exec_time::numeric / greatest(calls, 1), 3)::text AS run,
              left(regexp_replace(query, '\\s+', ' ', 'g'), ${shownCharacters}) AS text
       FROM public.pg_stat_statements
       WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
       ORDER BY total_plan_time + total_exec_time DESC
       LIMIT ${shownStatements}`,
    );
    return table([
      ['% of time', 'calls', 'plan ms', 'run ms', 'statement'],
      ...rows.map(({ share, calls, plan, run, text }) => [share, calls, plan, run, text]),
    ]);
  }

  /** The functions of each app that have taken most processor time; call it when the apps have ended. */
  async functions(): Promise<string> {
    const names = await readdir(this.directory);
    const texts = names.map((name) => readFile(join(this.directory, name), 'utf8'));
    const profiles = (await Promise.all(texts)).map((text) => JSON.parse(text) as CpuProfile);
    return profiles
      .flatMap((profile) => {
        const app = appOf(profile);
        return app === null ? [] : [functionsTable(app, timesByFunction(profile, this.#beganAt))];
      })
      .toSorted()
      .join('\n');
  }
}

/** The app that wrote a profile; null for other programs, such as the command line. */
function appOf({ nodes }: CpuProfile): string | null {
  for (const { callFrame } of nodes) {
    const [, app] = /\/apps\/(\w+)\/dist\/main\.js$/.exec(callFrame.url) ?? [];
    if (app !== undefined) return app === 'cli' ? null : app;
  }
  return null;
}

/** The processor time of each function itself since a point in time: microseconds, without that of being idle. */
function timesByFunction(profile: CpuProfile, since: number): Map<string, number> {
  const names = new Map(profile.nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const times = new Map<string, number>();
  let now = profile.startTime;
  for (const [place, id] of profile.samples.entries()) {
    const delta = profile.timeDeltas[place] ?? 0;
    now += delta;
    const name = names.get(id) ?? '';
    if (now < since || name === '(idle)') continue;
    times.set(name, (times.get(name) ?? 0) + delta);
  }
  return times;
}

function nameOf({ functionName, url }: CpuProfile['nodes'][number]['callFrame']): string {
  const [, module] = /\/(?:node_modules|libs|apps)\/(.*)$/.exec(url) ?? [];
  const place = module ?? url;
  const name = functionName === '' ? '(anonymous)' : functionName;
  return place === '' ? name : `${name}, ${place.replace('/dist/', '/')}`;
}

function functionsTable(app: string, times: ReadonlyMap<string, number>): string {
  const total = [...times.values()].reduce((sum, time) => sum + time, 0);
  const rows = [...times].toSorted(([, one], [, other]) => other - one).slice(0, shownFunctions);
  return table([
    ['% of time', `function of ${app} (${(total / 1e6).toFixed(1)} s in all)`],
    ...rows.map(([name, time]) => [((100 * time) / total).toFixed(1), name]),
  ]);
}
