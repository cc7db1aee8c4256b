import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Pins a process and its later children to one processor (taskset of util-linux), so that one part
 * of a system cannot slow down another.
 */
export function pinToProcessor(processor: number, pid: number): void {
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', String(processor), String(pid)]);
}

/** Returns the ids of all descendants of a process (proc(5), Linux only). */
export function descendantsOf(parent: number): number[] {
  const listed = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim();
  const children = listed === '' ? [] : listed.split(' ').map(Number);
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

/** Returns the command line of a process. */
export const commandOf = (pid: number): string =>
  readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
