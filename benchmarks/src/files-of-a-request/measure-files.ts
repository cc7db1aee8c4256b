import { startDistributedSystem } from '@registrar/standalone/testing';
import { DedicatedBroker, eventually } from '@registrar/testing';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PromiseResult } from '../promises/report.ts';
import { ApiAccess } from '../system/api-access.ts';
import { commandOf } from '../system/processes.ts';
import { table } from '../table.ts';
import { directoryVariable } from './executed-files.ts';

/** More than this is hard to read: files of a registration index, in all processes together. */
const maxFiles = 60;

/** Only what every one of so many requests calls counts: periodic tasks run now and then. */
const requestCount = 5;

const repository = join(import.meta.dirname, '../../..');

/**
 * Lists the files of this repository whose functions a request for registrations calls, from the socket of the
 * client to PostgreSQL and back, when its access has been looked up before.
 */
export async function measureFilesOfARequest(
  databaseUrl: string,
  say: (text: string) => void,
): Promise<PromiseResult[]> {
  const broker = await DedicatedBroker.start();
  const directory = await mkdtemp(join(tmpdir(), 'registrar-files-'));
  const probe = new URL('./executed-files.js', import.meta.url).href;
  const system = await startDistributedSystem(broker.url, {
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'fatal',
    NODE_ENV: 'production',
    CRAWL_INTERVAL_SECONDS: '86400',
    NODE_OPTIONS: `--import=${probe}`,
    [directoryVariable]: directory,
  });
  try {
    const access = await ApiAccess.create(system.quickstart);
    const url = access.url('registration.json');
    const request = async () => {
      const response = await fetch(url);
      await response.text();
      if (response.status !== 200) throw new Error(`registration index: ${response.status}`);
    };
    const processes = new Map(
      (['gateway', 'enrolment'] as const).map((app) => [app, pidOf(system.processes(), app)]),
    );
    let signals = 0;
    const takeFiles = async () => {
      const taken = [...processes.values()].map((pid) => {
        process.kill(pid, 'SIGUSR2');
        return readWhenWritten(join(directory, `${pid}-${signals}.json`));
      });
      signals += 1;
      return (await Promise.all(taken)).map((urls) => new Set(urls));
    };
    await takeFiles();
    // What runs once, such as the lookup of the access.
    for (let each = 0; each < requestCount; each += 1) await request();
    await takeFiles();
    let common = null as Set<string>[] | null;
    for (let each = 0; each < requestCount; each += 1) {
      await request();
      const files = await takeFiles();
      common =
        common?.map((before, at) => new Set([...before].filter((file) => files[at]!.has(file)))) ??
        files;
    }
    const byApp = [...processes.keys()].map((app, at) => [app, sourcesOf(common![at]!)] as const);
    const all = new Set(byApp.flatMap(([, files]) => files));
    const lines = new Map(
      await Promise.all([...all].map(async (file) => [file, await countLines(file)] as const)),
    );
    const who = (file: string) =>
      byApp.flatMap(([app, files]) => (files.includes(file) ? app : [])).join(', ');
    const rows = [...all].sort().map((file) => [file, String(lines.get(file)), who(file)]);
    say(table([['file', 'lines', 'called in'], ...rows]));
    const lineCount = [...lines.values()].reduce((sum, each) => sum + each, 0);
    return [
      {
        promise: `a request for registrations calls functions of at most ${maxFiles} files`,
        measured: `${all.size} files, which have ${lineCount} lines`,
        kept: all.size <= maxFiles,
      },
    ];
  } finally {
    await system.dispose();
    await broker.dispose();
    await rm(directory, { recursive: true });
  }
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
