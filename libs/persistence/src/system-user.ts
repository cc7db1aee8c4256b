import { execFile } from 'node:child_process';
import { realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { SettingsError } from '#libs/platform';

const run = promisify(execFile);

/** The user as which PostgreSQL runs when we are root, which it refuses to be. */
export const postgresUser = 'postgres';

/** The ids of a system user, as `spawn` takes them. */
export async function accountOf(name: string): Promise<{ uid: number; gid: number }> {
  const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

const othersMayEnter = 0o001;

/**
 * Sees to it that a user who is not root can get to `path`.
 *
 * @throws {SettingsError} naming the directory that keeps everybody else out
 */
export async function mustBeReachable(path: string): Promise<void> {
  for (let inner = await realpath(path); inner !== dirname(inner); inner = dirname(inner)) {
    const outer = dirname(inner);
    const { mode } = await stat(outer);
    if ((mode & othersMayEnter) === 0) {
      throw new SettingsError(
        `as root, PostgreSQL runs as the user ${postgresUser}, who may not enter ${outer}; ` +
          `put Registrar and its DATA_DIR elsewhere, or run it as another user`,
      );
    }
  }
}
