import type { LoggerService } from '@nestjs/common';
import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino';
import { prettyLog } from './pretty-log.ts';
import { currentOperation } from './operation.ts';

export type { Logger } from 'pino';

/** Where an app's parts find its {@link Logger} by injection; the bus provides it. */
export const appLogger = Symbol('app logger');

/**
 * The log of one app: a JSON line per event on standard output, readable lines in a terminal.
 * Every line written for a request carries its `request_id`. Callers log what they name, never
 * whole requests, settings or errors of foreign clients, so that no secret slips in.
 */
export function createLogger(
  app: string,
  level: string,
  destination: DestinationStream = process.stdout.isTTY ? prettyLog() : pino.destination(1),
): Logger {
  return pino(
    {
      level,
      base: { app },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
      mixin: () => {
        const requestId = currentOperation()?.requestId;
        return requestId ? { request_id: requestId } : {};
      },
    },
    destination,
  );
}

/** A failed query holds its parameters, and rows: people's data, hashes, megabytes of content. */
const untold = new Set(['parameters', 'detail', 'driverError']);
const describeError = (error: Error): object =>
  Object.fromEntries(
    Object.entries(stdSerializers.err(error)).filter(([name]) => !untold.has(name)),
  );

/** A log file that lines are added to, written without holding up the process. */
export const logFile = (path: string): DestinationStream =>
  pino.destination({ dest: path, append: true, mkdir: true, sync: false });

/** Nest's own messages in our log: routine ones as debug, its warnings and errors as they are. */
export function nestLogger(logger: Logger): LoggerService {
  const bind =
    (level: 'debug' | 'warn' | 'error') =>
    (message: unknown, ...rest: unknown[]) => {
      const context = rest.findLast((value) => typeof value === 'string');
      logger[level](
        { nest: context },
        message instanceof Error ? message.message : String(message),
      );
    };
  return {
    log: bind('debug'),
    debug: bind('debug'),
    verbose: bind('debug'),
    warn: bind('warn'),
    error: bind('error'),
    fatal: bind('error'),
  };
}
