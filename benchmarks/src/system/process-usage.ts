import type { CpuTimes } from '../results.ts';
import { descendantsOf, readProcessFile } from './processes.ts';

/** The processes of a system: those that serve HTTP, the contexts behind them, and the stores. */
export const groupsOfSystem = ['HTTP', 'contexts', 'PostgreSQL', 'RabbitMQ'] as const;

/** The groups that processor time is counted for: those of a system, and the load generator. */
export const processGroups = [...groupsOfSystem, 'clients'] as const;
export type ProcessGroup = (typeof processGroups)[number];

/** The processes of each group. A tree includes all descendants of its root. */
export type Processes = Readonly<
  Partial<Record<ProcessGroup, { readonly pids: readonly number[]; readonly isTree?: boolean }>>
>;

/** The kernel's unit of processor time in proc(5): `sysconf(_SC_CLK_TCK)` is 100 on Linux. */
const tickMs = 10;

/** Returns the processor time that each group has used so far: milliseconds. */
export const cpuTimesOf = (processes: Processes): CpuTimes =>
  mapGroups(processes, (pid) => {
    // The command's name, which may contain spaces, is in parentheses; the state follows.
    const fields = readProcessFile(pid, 'stat')
      .replace(/^.*\) /s, '')
      .split(' ');
    // utime, stime, and those of children that have ended.
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * tickMs;
  });

/** Returns the difference of two {@link cpuTimesOf}, for each unit of work. */
export const cpuBetween = (before: CpuTimes, after: CpuTimes, work: number): CpuTimes =>
  Object.fromEntries(
    processGroups
      .filter((group) => after[group] !== undefined)
      .map((group) => [group, ((after[group] ?? 0) - (before[group] ?? 0)) / work]),
  );

/** Returns the memory of a system's own processes, without the stores: MB. Shared pages count in parts. */
export function memoryMbOf({ HTTP, contexts }: Processes): number {
  const { pids = [] } = HTTP ?? {};
  return [...pids, ...(contexts?.pids ?? [])].reduce((sum, pid) => sum + memoryOf(pid), 0);
}

/** Returns the memory of a process: MB. Pages that several processes share count in parts (proc(5), Pss). */
export const memoryOf = (pid: number): number => kilobytesOf(pid, 'smaps_rollup', 'Pss') / 1e3;

/** Returns the resident memory of a process: MB. */
export const residentMemoryOf = (pid: number): number => kilobytesOf(pid, 'status', 'VmRSS') / 1e3;

const kilobytesOf = (pid: number, file: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readProcessFile(pid, file))?.[1] ?? 0) *
  1.024;

/** Adds up what `read` returns for each process of each group. */
function mapGroups(processes: Processes, read: (pid: number) => number): CpuTimes {
  return Object.fromEntries(
    Object.entries(processes).map(([group, { pids, isTree }]) => {
      const all = isTree ? pids.flatMap((pid) => [pid, ...descendantsOf(pid)]) : pids;
      return [group, all.reduce((sum, pid) => sum + read(pid), 0)];
    }),
  );
}
