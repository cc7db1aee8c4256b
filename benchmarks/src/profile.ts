import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { table } from './table.ts';

/** The most statements, and functions or packages of an app, that are printed. */
const shownStatements = 15;
const shownNames = 12;

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

/** Where the processor time of a run goes: by statement of PostgreSQL, and by function and package of each app. */
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
        if (app === null) return [];
        const timesBy = (naming: Naming) => timesByName(profile, naming, this.#beganAt);
        return [
          timesTable(`function of ${app}`, timesBy(nameOf)),
          timesTable(`package of ${app}`, timesBy(packageOf)),
        ];
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

type CallFrame = CpuProfile['nodes'][number]['callFrame'];

/** What the time of a function counts for. */
type Naming = (frame: CallFrame) => string;

/** The processor time of functions themselves since a point in time, by name: microseconds, without that of being idle. */
function timesByName(profile: CpuProfile, naming: Naming, since: number): Map<string, number> {
  const names = new Map(profile.nodes.map(({ id, callFrame }) => [id, naming(callFrame)]));
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

function nameOf({ functionName, url }: CallFrame): string {
  const [, module] = /\/(?:node_modules|libs|apps)\/(.*)$/.exec(url) ?? [];
  const place = module ?? url;
  const name = functionName === '' ? '(anonymous)' : functionName;
  return place === '' ? name : `${name}, ${place.replace('/dist/', '/')}`;
}

/** The package of a function, an app or library of ours, or Node itself; of V8, the kind of work. */
function packageOf({ functionName, url }: CallFrame): string {
  const [, name] =
    /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/.exec(url) ??
    /\/((?:libs|apps)\/[^/]+)\//.exec(url) ??
    [];
  if (name !== undefined) return name;
  return url.startsWith('node:') ? 'Node' : url === '' ? functionName : url;
}

function timesTable(title: string, times: ReadonlyMap<string, number>): string {
  const total = [...times.values()].reduce((sum, time) => sum + time, 0);
  const rows = [...times].toSorted(([, one], [, other]) => other - one).slice(0, shownNames);
  return table([
    ['% of time', `${title} (${(total / 1e6).toFixed(1)} s in all)`],
    ...rows.map(([name, time]) => [((100 * time) / total).toFixed(1), name]),
  ]);
}
