import { constants } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { clock, type Logger, SettingsError } from '@registrar/platform';

/** A running app. */
export interface RunningApp {
  /** Lets HTTP clients use other connections. Called before `stop`. */
  drainConnections?(): Promise<void>;
  /** Receives no more work, finishes running work, and closes all connections. */
  stop(): Promise<void>;
}

/**
 * How much the heap may grow before the next major garbage collection, which delays all requests meanwhile: percent.
 * By its own heuristics, V8 starts one after a few megabytes in a process that sends large files. The flag is set
 * here because NODE_OPTIONS does not accept it.
 */
const heapGrowthPercent = 50;

/** Two signals within this time count as one: milliseconds. */
const signalDebounceMs = 1_000;

/**
 * Runs an app as a process. SIGINT and SIGTERM stop it gracefully, a second signal at once. A failed
 * start is logged in one line with exit code 1, and so is an uncaught exception, which Node would
 * print with all its properties, such as the parameters of a statement. With an IPC channel, the
 * process sends `ready` to its parent and stops when the parent ends.
 */
export async function runProcess(start: () => Promise<RunningApp>, logger: Logger): Promise<void> {
  setFlagsFromString(`--heap-growing-percent=${heapGrowthPercent}`);
  // A signal during the start stops the app after the start.
  const signalled = new Promise<NodeJS.Signals | 'disconnect'>((resolve) => {
    process.once('disconnect', () => resolve('disconnect'));
    let first = Infinity;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        // For one key press npm forwards a signal that the terminal has already sent.
        if (clock.now() - first > signalDebounceMs) process.exit(130);
        first = Math.min(first, clock.now());
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
  await app.drainConnections?.();
  await app.stop();
  logger.info('stopped');
  process.exit(0);
}

/**
 * Runs a task as a process, with exit code 0. A failure is logged in one line with exit code 1. SIGINT
 * and SIGTERM end the process at once, also where it is the first process of a container.
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
