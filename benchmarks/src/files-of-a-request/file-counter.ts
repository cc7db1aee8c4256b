import { eventually } from '@registrar/testing';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandOf } from '../system/processes.ts';
import { table } from '../table.ts';

/** Only what every one of so many requests calls counts: periodic tasks run now and then. */
const requestCount = 5;

const repository = join(import.meta.dirname, '../../..');

/** A request whose files are counted. */
interface CountedRequest {
  readonly name: string;
  readonly status: number;
  readonly send: () => Promise<Response>;
}

/** Counts the files whose functions the gateway and enrolment call for a request. */
export class FileCounter {
  readonly #processes: ReadonlyMap<string, number>;
  #signals = 0;

  /**
   * @param directory where the processes write what they executed (`executed-files.ts`)
   * @param pids the processes of the system
   */
  constructor(
    private readonly directory: string,
    pids: readonly number[],
  ) {
    this.#processes = new Map(['gateway', 'enrolment'].map((app) => [app, pidOf(pids, app)]));
  }

  /** Counts what every one of {@link requestCount} requests calls, after as many that nobody counts. */
  async measure(request: CountedRequest) {
    // What runs once, such as the lookup of the access.
    for (let each = 0; each < requestCount; each += 1) await send(request);
    await this.#take();
    let common = null as Set<string>[] | null;
    for (let each = 0; each < requestCount; each += 1) {
      await send(request);
      const taken = await this.#take();
      common =
        common?.map((before, at) => new Set([...before].filter((file) => taken[at]!.has(file)))) ??
        taken;
    }
    const byApp = [...this.#processes.keys()].map(
      (app, at) => [app, sourcesOf(common![at]!)] as const,
    );
    const all = [...new Set(byApp.flatMap(([, files]) => files))].sort();
    const who = (file: string) =>
      byApp.flatMap(([app, files]) => (files.includes(file) ? app : [])).join(', ');
    const counted = await Promise.all(
      all.map(async (file) => ({ file, lines: await countLines(file) })),
    );
    const lines = counted.reduce((sum, each) => sum + each.lines, 0);
    const rows = counted.map((each) => [each.file, String(each.lines), who(each.file)]);
    const total = `${request.name}: ${all.length} files, which have ${lines} lines`;
    return {
      files: all.length,
      lines,
      report: `${total}\n${table([['file', 'lines', 'called in'], ...rows])}`,
    };
  }

  /** Takes the files that each process has called functions of since the last time. */
  async #take(): Promise<Set<string>[]> {
    const taken = [...this.#processes.values()].map((pid) => {
      process.kill(pid, 'SIGUSR2');
      return readWhenWritten(join(this.directory, `${pid}-${this.#signals}.json`));
    });
    this.#signals += 1;
    return (await Promise.all(taken)).map((urls) => new Set(urls));
  }
}

async function send({ name, status, send: respond }: CountedRequest): Promise<void> {
  const response = await respond();
  await response.text();
  if (response.status !== status) throw new Error(`${name}: ${response.status}`);
}

function pidOf(pids: readonly number[], app: string): number {
  const found = pids.find((pid) => commandOf(pid).includes(`/${app}/`));
  if (found === undefined) throw new Error(`${app} has no process`);
  return found;
}

const readWhenWritten = async (path: string): Promise<string[]> =>
  eventually(`${path} is written`, async () => {
    try {
      return JSON.parse(await readFile(path, 'utf8')) as string[];
    } catch {
      return null;
    }
  });

/** The sources, relative to the repository, of built files of the apps and libraries. */
const sourcesOf = (urls: ReadonlySet<string>): string[] =>
  [...urls]
    .filter((url) => url.startsWith('file:'))
    .map((url) => relative(repository, fileURLToPath(url)))
    .filter((path) => /^(apps|libs)\/[\w-]+\/dist\//.test(path))
    .map((path) => path.replace('/dist/', '/src/').replace(/\.js$/, '.ts'));

async function countLines(file: string): Promise<number> {
  return (await readFile(join(repository, file), 'utf8')).trimEnd().split('\n').length;
}
