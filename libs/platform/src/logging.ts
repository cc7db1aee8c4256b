import type { LoggerService } from '@nestjs/common';
import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino';
import { allowedFields, describeError, withoutSecrets } from './log-fields.ts';
import { prettyLog } from './pretty-log.ts';
import { currentOperation } from './operation.ts';
import { currentTraceId } from './tracing/spans.ts';

/** Writes lines; it has no children, whose fields nobody would check. */
export type Logger = Pick<PinoLogger, 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace'>;

/** Where an app's parts find its {@link Logger} by injection; the bus provides it. */
export const appLogger = Symbol('app logger');

/**
 * The log of one app: a JSON line per event on standard output, readable lines in a terminal.
 * Every line written for a request carries its `request_id`. What may stand in a line is declared
 * (log-fields); whatever else is handed over, nothing of it is written.
 */
export function createLogger(
  app: string,
  level: string,
  destination: DestinationStream = process.stdout.isTTY ? prettyLog() : standardOutput(),
): Logger {
  return pino(
    {
      level,
      base: { app },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: allowedFields },
      serializers: { err: (error: unknown) => describeError(error) },
      hooks: {
        // A message is our own text: nothing is put into it.
        logMethod([first, second], method) {
          if (typeof first === 'string') method.call(this, first);
          else method.call(this, first, typeof second === 'string' ? second : 'no message');
        },
        streamWrite: withoutSecrets,
      },
      mixin: () => {
        const requestId = currentOperation()?.requestId;
        const traceId = currentTraceId();
        return {
          ...(requestId && { request_id: requestId }),
          ...(traceId && { trace_id: traceId }),
        };
      },
    },
    destination,
  );
}

/** In order, and whole when the process ends: a line that was handed over is written. */
const standardOutput = (): DestinationStream => pino.destination({ dest: 1, sync: true });

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
