import { mkdir, open, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type Check, fail, type Finding, ok, warn } from './check.ts';

/** As much as a few packages on their way: bytes. */
const scarce = 64 * 1024 * 1024;
const probeBytes = 1024 * 1024;

/** Whether there is room for data, by writing some. */
export const diskCheck = (directory: string): Check => ({
  name: 'space for data',
  look: async () => {
    const probe = join(directory, `.doctor-${process.pid}`);
    try {
      await mkdir(directory, { recursive: true });
      const file = await open(probe, 'wx');
      try {
        await file.writeFile(Buffer.alloc(probeBytes));
        await file.sync();
      } finally {
        await file.close();
      }
      return ok(`${directory} takes data`);
    } catch (error) {
      return diskFault(directory, error as NodeJS.ErrnoException);
    } finally {
      await rm(probe, { force: true });
    }
  },
});

function diskFault(directory: string, { code, message }: NodeJS.ErrnoException): Finding {
  return code === 'ENOSPC' || code === 'EDQUOT'
    ? fail(
        `the disk of ${directory} is full`,
        `make room (${scarce / 1024 / 1024} MB or more), or name another place in DATA_DIR`,
      )
    : fail(
        `nothing can be written to ${directory}: ${message}`,
        'let the user of this process write there, or name another place in DATA_DIR',
      );
}

/** How long an app may take for a response: seconds. */
const responseTime = 5;

/** Whether a port is free, or its answer passes `isOurs`. */
export const portCheck = (
  setting: string,
  port: number,
  isOurs: (response: Response) => boolean,
  path: string,
): Check => ({
  name: setting,
  look: async () => {
    if (await isFree(port)) return ok(`port ${port} is free`);
    const signal = AbortSignal.timeout(responseTime * 1_000);
    const url = `http://localhost:${port}${path}`;
    const response = await fetch(url, { signal, redirect: 'manual' }).catch(() => null);
    if (signal.aborted && !response) {
      return fail(
        `what listens on port ${port} does not respond within ${responseTime} s`,
        `find it with: ss -ltnp 'sport = :${port}'; if it is an app of ours, it is frozen or ` +
          'overloaded: see its log, or end it',
      );
    }
    await response?.body?.cancel();
    return response && isOurs(response)
      ? ok(`port ${port} is that of a running app of ours`)
      : fail(
          `port ${port} is in use by another program`,
          `end that program (find it with: ss -ltnp 'sport = :${port}'), or set ${setting} to ` +
            'another port',
        );
  },
});

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen(port, '::', () => probe.close(() => resolve(true)));
  });
}

const othersMayRead = 0o004;

/** Whether the file of the master key is kept from others. */
export const keyFileCheck = (path: string): Check => ({
  name: 'master key file',
  look: async () => {
    const { mode } = await stat(path);
    return (mode & othersMayRead) === 0
      ? ok('only its owner and group may read it')
      : warn('everybody on this machine may read it', `run: chmod 600 ${path}`);
  },
});
