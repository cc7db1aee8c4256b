import { PinoPretty } from 'pino-pretty';

/** The log for people: one coloured line per event. */
export const prettyLog = () =>
  PinoPretty({ colorize: true, ignore: 'pid,hostname,app', messageFormat: '{app}: {msg}' });
