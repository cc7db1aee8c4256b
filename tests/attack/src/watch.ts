import { createReadStream, writeFileSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Target } from './target.ts';

/** The memory of a container in k8s/base and docker-compose.yml. */
const containerMb = 512;

const sampleMs = 1_000;

/** Watches the memory of all processes until it is stopped. The kernel notes the highest, so that no peak is missed. */
export class MemoryWatch {
  readonly #worst = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;

  constructor(private readonly target: Target) {
    for (const { supervised } of target.processesOfApps) resetHighest(supervised.id);
    this.#timer = setInterval(() => void this.sample(), sampleMs);
  }

  async sample(): Promise<void> {
    // Of a process that was restarted, the highest is another one's.
    for (const [name, highest] of await memoryOf(this.target, 'VmHWM')) {
      this.#worst.set(name, Math.max(highest, this.#worst.get(name) ?? 0));
    }
  }

  /** Ends the sampling. @returns the most memory of each process, in MiB */
  stop(): ReadonlyMap<string, number> {
    clearInterval(this.#timer);
    return this.#worst;
  }
}

/** Returns the processes that used more memory than a container has. */
export const memoryViolations = (worst: ReadonlyMap<string, number>): string[] =>
  [...worst]
    .filter(([, used]) => used > containerMb)
    .map(([name, used]) => `${name} used ${used.toFixed(0)} MiB, more than its container has`);

/** The resident memory of each process, in MiB. */
export const residentMemory = (target: Target): Promise<ReadonlyMap<string, number>> =>
  memoryOf(target, 'VmRSS');

/**
 * A field of each process' status in MiB (proc(5)), and what its children have in memory of their own, in the same
 * container. Without the processes that have ended.
 */
async function memoryOf(
  { processesOfApps }: Target,
  field: 'VmRSS' | 'VmHWM',
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (const { name, supervised } of processesOfApps) {
    const { id } = supervised;
    let used = await fieldOf(String(id), field);
    if (used === 0) continue;
    const children = (await read(`/proc/${id}/task/${id}/children`)).split(' ').filter(Boolean);
    for (const child of children) used += await fieldOf(child, 'RssAnon');
    found.set(name, used);
  }
  return found;
}

async function fieldOf(process: string, field: string): Promise<number> {
  const line = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm');
  const [, kibibytes = '0'] = line.exec(await read(`/proc/${process}/status`)) ?? [];
  return Number(kibibytes) / 1024;
}

/** The text of a file of a process; empty after the process has ended. */
const read = (path: string) => readFile(path, 'utf8').catch(() => '');

/** Lets the highest resident memory of a process begin anew (proc(5), clear_refs). */
function resetHighest(process: number | null): void {
  if (process !== null) writeFileSync(`/proc/${process}/clear_refs`, '5');
}

/** The message of `runProcess`, and what Node prints when a program or its heap ends. */
const defect =
  /a defect ends the process|Uncaught|uncaughtException|UnhandledPromiseRejection|unhandledRejection|heap out of memory/;

/** Returns the processes that ended by themselves, and the log lines that show a defect. */
export async function findDefects(target: Target): Promise<string[]> {
  const crashes = target.processesOfApps.flatMap(({ supervised }) => supervised.crashes);
  const lines: string[] = [];
  for (const { name, logFile } of target.processesOfApps) {
    for await (const line of createInterface({ input: createReadStream(logFile) })) {
      if (defect.test(line)) lines.push(`${name}: ${line.slice(0, 300)}`);
    }
  }
  return [...crashes, ...lines];
}

/** Returns the files that may contain no secret: all logs, and the traces. */
export async function outputFiles({ dataDirectory }: Target): Promise<string[]> {
  const names = await readdir(dataDirectory);
  return names
    .filter((name) => /\.(log|jsonl)$/.test(name))
    .map((name) => join(dataDirectory, name));
}
