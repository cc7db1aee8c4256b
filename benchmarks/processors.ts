import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Lets a process and what it will start run on one processor alone (taskset, of util-linux), so
 * that what one part of a system takes cannot slow another down.
 */
export function bindTo(processor: number, pid: number): void {
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', String(processor), String(pid)]);
}

/** The processes that `parent` and its children started (proc(5), Linux). */
export function descendantsOf(parent: number): number[] {
  const listed = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim();
  const children = listed === '' ? [] : listed.split(' ').map(Number);
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

/** What a process was started with. */
export const commandOf = (pid: number): string =>
  readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
