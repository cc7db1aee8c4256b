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
  const listed = readProcessFile(parent, `task/${parent}/children`).trim();
  const children = listed === '' ? [] : listed.split(' ').map(Number);
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

/** Returns the command line of a process. */
export const commandOf = (pid: number): string =>
  readProcessFile(pid, 'cmdline').replaceAll('\0', ' ');

/**
 * Returns the first descendant of a process with such a command line.
 *
 * @throws {Error} if there is none
 */
export function findDescendant(parent: number, command: RegExp): number {
  const found = descendantsOf(parent).find((pid) => command.test(commandOf(pid)));
  if (found === undefined) throw new Error(`no process of ${command} is running`);
  return found;
}

/** Reads a file below `/proc/PID`; an empty text once the process has ended. */
export function readProcessFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
