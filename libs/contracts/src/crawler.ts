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
 * Orders crawl results. The sequence is drawn from one counter before the provider is called: of two
 * results for one registration, the one with the higher sequence is newer, in whatever order they
 * arrive.
 */
const crawlStamp = { sequence: z.int(), crawledAt: timestamp, crawlType };

/** How a call of a provider failed. */
const providerFault = z.object({
  /** The HTTP status, or the network's error code, as text. */
  errorCode: z.string(),
  errorMessage: z.string(),
});

/** The outcome of a crawl for one registration. */
export const crawlOutcome = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('crawled'),
    registrationGuid: guid,
    result: providerRegistration,
    digest: resultDigest,
  }),
  z.object({ outcome: z.literal('deleted'), registrationGuid: guid }),
  z.object({
    outcome: z.literal('failed'),
    registrationGuid: guid,
    ...providerFault.shape,
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
  reply: z.object({
    ...crawlStamp,
    outcomes: z.array(crawlOutcome),
    /**
     * Why registrations have no outcome: the failure of the provider, of this crawl or of the one after
     * which its application pauses. Null when there was none.
     */
    fault: providerFault.nullable(),
  }),
});

/**
 * Crawls a registration as soon as possible, because its provider reported a change. Does
 * nothing while the application is unknown or paused.
 */
export const bringForward = defineRequest('crawler.bring-forward', {
  callers: ['gateway'],
  idempotency: 'natural',
  input: z.object({ applicationId: id, registrationGuid: guid }),
  reply: z.object({}),
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

/** How a provider application is crawled; null stands for the crawler's setting or default. */
const crawlConfiguration = z.object({
  /** The most calls of crawls and clients in any second, by all replicas together. */
  limit: z.int().min(1).max(10_000).nullable(),
  /** The most calls of crawls in any second. */
  rate: z.int().min(1).max(1_000).nullable(),
  /** The shortest interval of crawls of changes, in seconds. */
  interval: z.int().min(5).max(86_400).nullable(),
  type: crawlType.nullable(),
  /** Its crawls in the background are paused; those that a client waits for are not. */
  paused: z.boolean(),
});

/** Operator, and the console: lists provider applications with how far their crawls are; null lists all. */
export const listCrawls = defineList('crawler.list-crawls', {
  callers: ['operator', 'console'],
  input: z.object({ applications: z.array(id).max(200).nullable() }),
  item: z.object({
    application: id,
    /**
     * `disabled`: its realm is disabled; `paused`: by the operator; `unauthorized`: the provider does not
     * accept the credentials; `backing off`: after a failure; `due`: a crawl waits for a replica.
     */
    state: z.enum(['idle', 'due', 'crawling', 'backing off', 'unauthorized', 'paused', 'disabled']),
    /** Since the most overdue crawl was due. */
    late_seconds: z.int(),
    /** When the last complete crawl of changes began; null before the first one. */
    changes_at: timestamp.nullable(),
    /** The crawl of a list in progress, and how many items it has read. */
    running: z.string().nullable(),
    items: z.int().nullable(),
    /** The provider's number of items, or how many the last complete crawl has read; null if neither is known. */
    expected: z.int().nullable(),
    /** The number of windows that are left of a divided list; null for others. */
    windows: z.int().nullable(),
    /** When the crawl in progress began. */
    running_since: timestamp.nullable(),
    registrations: sweepState,
    /** When the last complete sweep began; null before the first one. */
    registrations_at: timestamp.nullable(),
    courses: sweepState,
    courses_at: timestamp.nullable(),
    /** The most calls per second; failures lower it. */
    rate: z.number(),
    /** The number of calls that have failed since the last success; more of them lengthen the pause. */
    failures: z.int(),
    /** No crawl calls the provider before; null unless the application backs off. */
    backing_off_until: timestamp.nullable(),
    configuration: crawlConfiguration,
    /** Why the last crawl failed, until one succeeds. */
    error: z.string().nullable(),
  }),
});

/** Console: finds when a registration is crawled next by its GUID. */
export const findRegistrationCrawl = defineRequest('crawler.find-registration-crawl', {
  callers: ['console'],
  input: z.object({ applicationId: id, registrationGuid: guid }),
  /** Null: no crawl by its GUID is due; the crawls of changes and the sweeps of its application include it. */
  reply: z.object({ due_at: timestamp.nullable() }),
});

/** Operator: makes the crawl of changes of a provider application due now, or a full sweep of it. */
export const crawlNow = defineRequest('crawler.crawl-now', {
  callers: ['operator', 'console'],
  idempotency: 'natural',
  input: z.object({ application: id, sweep: z.boolean() }),
  reply: z.object({}),
});

/** How long calls may be made that {@link takeProviderCalls} grants to spare: milliseconds from the request on. */
export const spareCallsMs = 50;

/**
 * Takes calls of a provider application from its limit, for clients that wait for them. They must be made at
 * once, and those to spare within {@link spareCallsMs}.
 */
export const takeProviderCalls = defineRequest('crawler.take-provider-calls', {
  callers: ['enrolment'],
  idempotency: 'natural',
  input: z.object({
    applicationId: id,
    /** For clients that wait. */
    calls: z.int().min(1).max(100),
    /** For clients that may come: granted in part or not at all where few calls are left. */
    spare: z.int().min(0).max(100),
  }),
  reply: z.object({
    /** How many calls may be made; more than `calls` include some to spare. */
    granted: z.int().min(0),
    /** Milliseconds until another attempt can succeed; 0 when all were granted. */
    waitMs: z.int().min(0),
  }),
});

/** Tells that a course provider has refused a call because there were too many: the application pauses. */
export const reportThrottledCall = defineRequest('crawler.report-throttled-call', {
  callers: ['enrolment'],
  idempotency: 'natural',
  input: z.object({
    applicationId: id,
    /** Seconds from `Retry-After`; null without it. */
    retryAfter: z.number().min(0).nullable(),
  }),
  reply: z.object({}),
});

/** Operator: sets how a provider application is crawled. What is absent stays as it is. */
export const configureCrawls = defineRequest('crawler.configure-crawls', {
  callers: ['operator', 'console'],
  idempotency: 'natural',
  input: crawlConfiguration.partial().extend({ application: id }),
  reply: crawlConfiguration,
});

/**
 * Calls the provider of an application as crawls do, without effect, and tells what was found.
 *
 * @throws {Failure} `not-found` for an unknown application; `over-limit` while another test of it runs
 */
export const testProvider = defineRequest('crawler.test-provider', {
  callers: ['console'],
  input: z.object({
    application: id,
    /** The secret key to try in place of the stored one; null for the stored one. */
    secretKey: z.string().min(1).max(255).nullable(),
  }),
  reply: z.object({
    reachable: z.boolean(),
    credentials_accepted: z.boolean().nullable(),
    /** By how much the provider's clock is ahead. */
    clock_skew_seconds: z.int().nullable(),
    /** Why the provider cannot be used; null when it can. */
    fault: z.string().nullable(),
  }),
});

/** Operator: lists the finished crawls of a provider application of the last week, the newest first. */
export const listCrawlHistory = defineList('crawler.list-crawl-history', {
  callers: ['operator', 'console'],
  input: z.object({ application: id }),
  item: z.object({
    finished_at: timestamp,
    kind: z.string(),
    outcome: z.enum(['done', 'failed']),
    /** Number of registrations or courses. */
    items: z.int(),
    seconds: z.int(),
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
