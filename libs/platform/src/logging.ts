import type { LoggerService } from '@nestjs/common';
import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino';
import { clock } from './clock.ts';
import { allowedFields, describeError, redactUrls } from './log-fields.ts';
import { prettyLog } from './pretty-log.ts';
import { currentRequestContext } from './request-context.ts';
import { currentTraceId } from './tracing/spans.ts';

/** Writes log lines. Without `child()`, whose fields would not be redacted. */
export type Logger = Pick<PinoLogger, 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace'>;

/** The injection token of an app's {@link Logger}; the bus module provides it. */
export const appLogger = Symbol('app logger');

/**
 * Creates the log of an app: JSON lines on standard output, readable lines in a terminal. Lines of a
 * request carry its `request_id`. Fields that are not listed in log-fields.ts are redacted, and so
 * are credentials and query strings of URLs. Messages are constant texts: placeholders in them are
 * not replaced.
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
      timestamp: timestamps(),
      formatters: { level: (label) => ({ level: label }), log: allowedFields },
      serializers: { err: (error: unknown) => describeError(error) },
      hooks: {
        // Drops the arguments of placeholders such as %s: they could contain secrets.
        logMethod([first, second], method) {
          if (typeof first === 'string') method.call(this, first);
          else method.call(this, first, typeof second === 'string' ? second : 'no message');
        },
        streamWrite: redactUrls,
      },
      mixin: () => {
        const requestId = currentRequestContext()?.requestId;
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

/** The time of a line in the format of pino's `isoTime`, by {@link clock}; formatted at most once a millisecond. */
function timestamps(): () => string {
  let at = NaN;
  let text = '';
  return () => {
    const now = clock.now();
    if (now !== at) {
      at = now;
      text = `,"time":"${new Date(now).toISOString()}"`;
    }
    return text;
  };
}

/** Bytes of lines that are not kept until the turn of the event loop ends. */
const maxBufferedBytes = 8 * 1024;

/**
 * Writes the lines of a turn of the event loop by one call, since a busy gateway has a line for each request. The call is
 * synchronous: a killed process loses the lines of its last turn at most, and one that ends by itself none.
 */
function openStandardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: true, minLength: maxBufferedBytes });
  let isScheduled = false;
  const flush = () => {
    isScheduled = false;
    output.flush();
  };
  process.once('exit', flush);
  return {
    write: (line) => {
      output.write(line);
      if (isScheduled) return;
      isScheduled = true;
      setImmediate(flush);
    },
  };
}

let opened: DestinationStream | undefined;

/** The standard output of the process, which its logs share, so that their lines keep their order. */
const standardOutput = (): DestinationStream => (opened ??= openStandardOutput());

/** Writes Nest's messages to our log: routine ones as `debug`, warnings and errors at their level. */
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
