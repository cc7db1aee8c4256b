import { PinoPretty } from 'pino-pretty';

/** Formats log lines for a terminal, with colors. */
export const prettyLog = () =>
  PinoPretty({ colorize: true, ignore: 'pid,hostname,app', messageFormat: '{app}: {msg}' });
