import { execFile } from 'node:child_process';
import { realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The system user that PostgreSQL runs as when this process is root, because PostgreSQL refuses to run as root. */
export const postgresUser = 'postgres';

/** The ids of a system user, in the form that `spawn` takes. */
export interface SystemAccount {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Returns the ids of the system user `name` and creates the user when it does not exist.
 *
 * @throws when the user can neither be found nor created
 */
export async function ensureSystemUser(name: string): Promise<SystemAccount> {
  try {
    return await accountOf(name);
  } catch {
    try {
      await run('groupadd', ['--system', '--force', name]);
      await run('useradd', ['--system', '--no-create-home', '--gid', name, name]);
    } catch (error) {
      // Another process may have created the user in the meantime.
      return accountOf(name).catch(() => {
        throw new Error(`cannot create the system user ${name}`, { cause: error });
      });
    }
    return accountOf(name);
  }
}

async function accountOf(name: string): Promise<SystemAccount> {
  const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

const othersMayEnter = 0o001;

/**
 * Finds a directory above `path` that users other than its owner and group cannot enter.
 *
 * @param path need not exist; its parent must
 * @returns the innermost such directory, or null when every user can reach `path`
 */
export async function closedDirectoryAbove(path: string): Promise<string | null> {
  let directory = await realpath(dirname(path));
  for (;;) {
    const { mode } = await stat(directory);
    if ((mode & othersMayEnter) === 0) return directory;
    const parent = dirname(directory);
    if (parent === directory) return null;
    directory = parent;
  }
}
