import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

/**
 * Starts a program of this package that attacks, in a process that lets all others go first: in production, clients
 * have processors of their own. It sends `ready` when it has started.
 *
 * @param name of the file, without its extension
 */
export async function forkAttacker(name: string): Promise<ChildProcess> {
  const program = fileURLToPath(new URL(`./${name}.js`, import.meta.url));
  const child = fork(program, { serialization: 'advanced' });
  await once(child, 'message');
  setPriority(child.pid ?? 0, constants.priority.PRIORITY_LOW);
  return child;
}

/** Ends an attacker, whose connections close. */
export async function killAttacker(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill();
  await exited;
}
