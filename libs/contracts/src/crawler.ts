import * as z from 'zod';
import { defineEvent, defineRequest } from './message.ts';
import { crawlType, providerCourse, providerRegistration } from './provider-results.ts';
import { guid, id, timestamp } from './values.ts';

/**
 * Orders crawl results. The sequence is drawn from one counter before the provider is asked: of two
 * results for one registration, the one with the higher sequence is newer, in whatever order they
 * arrive.
 */
const crawlStamp = { sequence: z.int(), crawledAt: timestamp, crawlType };

/** The outcome of a crawl for one registration. */
export const crawlOutcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('crawled'), registrationGuid: guid, result: providerRegistration }),
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
 * A full sweep has listed every registration of a provider application. A stored registration that
 * was created before `startedAt` and not crawled since `sequence` may be deleted at the provider;
 * the subscriber has it crawled by its id.
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
