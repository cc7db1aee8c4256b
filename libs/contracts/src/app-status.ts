import * as z from 'zod';
import { busContexts, defineEvent, type EventContract } from './message.ts';
import { timestamp } from './values.ts';

/** The apps that report their status to the console. */
export const reportingApps = ['gateway', ...busContexts, 'console'] as const;
export type ReportingApp = (typeof reportingApps)[number];

/**
 * The status of one process of an app. Counts are of the time since it started, so that a report that is lost is made up
 * for by the next.
 */
export const appStatus = z.object({
  app: z.enum(reportingApps),
  /** Identifies the process. */
  replica: z.uuid(),
  version: z.string().max(64),
  startedAt: timestamp,
  /** Of HTTP at the gateway and of the bus at the others. */
  requests: z.object({
    total: z.int(),
    /** Those that the app, and not its caller, is to blame for; null where they are not counted apart. */
    failed: z.int().nullable(),
    seconds: z.number(),
    /** Upper bounds of durations in seconds, ascending, each with the number of requests that took no longer. */
    buckets: z.array(z.object({ upTo: z.number(), count: z.int() })).max(30),
  }),
  /**
   * Of a context with a broker: the messages in its request queue that no replica has received, of one request or more
   * each; null where it is not known.
   */
  waitingMessages: z.int().nullable(),
  /** Of a context: what waits in its outbox, and what it has parked; null where it is not known, or there is no outbox. */
  outbox: z.object({ waiting: z.int(), oldestSeconds: z.number(), parked: z.int() }).nullable(),
  memoryBytes: z.int(),
});
export type AppStatus = z.infer<typeof appStatus>;

/** The status of an app's process, broadcast to the consoles at an interval. Nobody stores it. */
export const appStatusReports = Object.fromEntries(
  reportingApps.map((app) => [
    app,
    defineEvent(`${app}.status`, { payload: appStatus, subscribers: [], listeners: ['console'] }),
  ]),
) as Readonly<Record<ReportingApp, EventContract<typeof appStatus>>>;
