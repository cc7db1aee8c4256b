import { constants } from 'node:os';
import type { Logger } from './logging.ts';
import { SettingsError } from './settings.ts';

/** An app that runs: it stops taking work, finishes what it has, and closes. */
export interface RunningApp {
  /** Before that, for those that answer HTTP: lets its callers go elsewhere meanwhile. */
  leave?(): Promise<void>;
  stop(): Promise<void>;
}

const sameKeyPress = 1000;

/**
 * Starts an app as a process: SIGINT and SIGTERM stop it in order, a second signal at once; a
 * failed start says why in one line and exits with 1, and so does an error that nobody caught, of
 * which Node itself would print everything, the parameters of a statement too. A parent that gave the process an IPC
 * channel is told `ready`, and its end stops the process too.
 */
export async function runProcess(start: () => Promise<RunningApp>, logger: Logger): Promise<void> {
  // Signals count from the first moment on: one that comes while the app starts stops it after.
  const signalled = new Promise<NodeJS.Signals | 'disconnect'>((resolve) => {
    process.once('disconnect', () => resolve('disconnect'));
    let first = Infinity;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        // npm passes on a signal that the terminal has already sent: one key press, two signals.
        if (Date.now() - first > sameKeyPress) process.exit(130);
        first = Math.min(first, Date.now());
        resolve(signal);
      });
    }
  });
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'a defect ends the process');
    process.exit(1);
  });
  let app: RunningApp;
  try {
    app = await start();
  } catch (error) {
    failStart(error, logger);
    return;
  }
  logger.info('ready');
  process.send?.('ready');
  const signal = await signalled;
  logger.info({ signal }, 'stopping');
  await app.leave?.();
  await app.stop();
  logger.info('stopped');
  process.exit(0);
}

/**
 * Does one piece of work as a process and ends with 0. A failure says why in one line and ends it
 * with 1; SIGINT and SIGTERM end it at once, also where it is the first process of a container.
 */
export async function runTask(work: () => Promise<void>, logger: Logger): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
  }
  try {
    await work();
  } catch (error) {
    failStart(error, logger);
  }
}

function failStart(error: unknown, logger: Logger): void {
  const known = error instanceof SettingsError || isSystemError(error);
  if (known) logger.fatal(startFault(error));
  else logger.fatal({ err: error }, 'cannot start');
  process.exit(1);
}

const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === 'string';

function startFault(error: SettingsError | NodeJS.ErrnoException): string {
  if ('code' in error && error.code === 'EADDRINUSE') {
    return `cannot start: port ${String((error as { port?: number }).port)} is in use by another program`;
  }
  return `cannot start: ${error.message}`;
}
