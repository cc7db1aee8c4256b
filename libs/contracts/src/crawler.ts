import * as z from 'zod';
import { defineEvent, defineList, defineRequest } from './message.ts';
import {
  crawlType,
  providerCourse,
  providerRegistration,
  resultDigest,
} from './provider-results.ts';
import { guid, id, timestamp } from './values.ts';

/**
 * Orders crawl results. The sequence is drawn from one counter before the provider is asked: of two
 * results for one registration, the one with the higher sequence is newer, in whatever order they
 * arrive.
 */
const crawlStamp = { sequence: z.int(), crawledAt: timestamp, crawlType };

/** The outcome of a crawl for one registration. */
export const crawlOutcome = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('crawled'),
    registrationGuid: guid,
    result: providerRegistration,
    /** See {@link resultDigest}; absent in events of the previous version. */
    digest: resultDigest.optional(),
  }),
  z.object({ outcome: z.literal('deleted'), registrationGuid: guid }),
  z.object({
    outcome: z.literal('failed'),
    registrationGuid: guid,
    /** The HTTP status, or the network's error code, as text. */
    errorCode: z.string(),
    errorMessage: z.string(),
  }),
]);
export type CrawlOutcome = z.infer<typeof crawlOutcome>;

/**
 * Crawls up to 100 registrations of one provider application at once. The reply omits registrations
 * that the provider did not return before the deadline; they are crawled soon after.
 */
export const crawlRegistrations = defineRequest('crawler.crawl-registrations', {
  callers: ['enrolment'],
  idempotency: 'natural',
  input: z.object({ applicationId: id, registrationGuids: z.array(guid).min(1).max(100) }),
  reply: z.object({ ...crawlStamp, outcomes: z.array(crawlOutcome) }),
});

/**
 * Operator: makes a full sweep of every provider application due now, of its registrations and of its
 * courses. Sweeps in progress begin again, because their first pages are older than the request.
 * Applications of disabled realms are swept when their realm is enabled.
 */
export const sweepApplications = defineRequest('crawler.sweep-applications', {
  callers: ['operator'],
  idempotency: 'natural',
  input: z.object({}),
  /** The number of provider applications. */
  reply: z.object({ applications: z.int() }),
});

/**
 * The state of a full sweep. `waiting`: the first one is due later; `paused`: the realm is disabled;
 * `failing`: the last attempt failed, and is repeated; `done`: none is due.
 */
const sweepState = z.enum(['waiting', 'due', 'running', 'failing', 'paused', 'done']);

/** Operator: lists the provider applications with the states of their full sweeps. */
export const listSweeps = defineList('crawler.list-sweeps', {
  callers: ['operator'],
  input: z.object({}),
  item: z.object({
    application: id,
    registrations: sweepState,
    /** When the last complete sweep began; null before the first one. */
    registrations_at: timestamp.nullable(),
    courses: sweepState,
    courses_at: timestamp.nullable(),
    /** Why a sweep is failing. */
    error: z.string().nullable(),
  }),
});

/** One page of registrations of a provider application was crawled. */
export const registrationsCrawled = defineEvent('crawler.registrations-crawled', {
  payload: z.object({
    applicationId: id,
    realmId: id,
    ...crawlStamp,
    outcomes: z.array(crawlOutcome),
  }),
  subscribers: ['enrolment'],
});

/**
 * A crawl of the changed registrations of a provider application is complete: every registration that
 * is not in its pages is unchanged since the crawl before. So all stored results are as of `startedAt`.
 */
export const changesCrawled = defineEvent('crawler.changes-crawled', {
  payload: z.object({ applicationId: id, startedAt: timestamp }),
  subscribers: ['enrolment'],
});

/**
 * A full sweep has listed every registration of a provider application. A stored registration that
 * was created before `startedAt` and neither crawled nor found unchanged since `sequence` may be
 * deleted at the provider; the subscriber has it crawled by its id.
 */
export const registrationsSwept = defineEvent('crawler.registrations-swept', {
  payload: z.object({ applicationId: id, sequence: z.int(), startedAt: timestamp }),
  subscribers: ['enrolment'],
});

/** One page of courses of a provider application was crawled. */
export const coursesCrawled = defineEvent('crawler.courses-crawled', {
  payload: z.object({
    applicationId: id,
    sequence: z.int(),
    crawledAt: timestamp,
    courses: z.array(providerCourse),
  }),
  subscribers: ['catalog'],
});

/**
 * A full sweep has listed every course of a provider application. A stored course that was not
 * crawled since `sequence` is deleted at the provider.
 */
export const coursesSwept = defineEvent('crawler.courses-swept', {
  payload: z.object({
    applicationId: id,
    sequence: z.int(),
    startedAt: timestamp,
    courseGuids: z.array(guid),
  }),
  subscribers: ['catalog'],
});
