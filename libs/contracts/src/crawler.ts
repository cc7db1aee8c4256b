import * as z from 'zod';
import { defineEvent, defineRequest } from './message.ts';
import { crawlType, providerCourse, providerRegistration } from './provider-results.ts';
import { guid, id, timestamp } from './values.ts';

/**
 * When a provider's answer was asked for. The sequence is taken before the question, from one
 * counter for all crawls: of two answers about one registration the one with the higher sequence
 * is the newer, whatever the order in which they arrive.
 */
const asked = { sequence: z.int(), crawledAt: timestamp, crawlType };

/** What became of one registration in a crawl. */
export const crawlOutcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('crawled'), registrationGuid: guid, result: providerRegistration }),
  z.object({ outcome: z.literal('deleted'), registrationGuid: guid }),
  z.object({
    outcome: z.literal('failed'),
    registrationGuid: guid,
    /** The HTTP status or the provider's code, as text. */
    errorCode: z.string(),
    errorMessage: z.string(),
  }),
]);
export type CrawlOutcome = z.infer<typeof crawlOutcome>;

/**
 * Crawl these now, at most 100 of one provider application. Registrations that the provider did
 * not answer for within the deadline are left out of the reply and crawled soon after.
 */
export const crawlRegistrations = defineRequest('crawler.crawl-registrations', {
  changes: 'again',
  input: z.object({ applicationId: id, registrationGuids: z.array(guid).min(1).max(100) }),
  reply: z.object({ ...asked, outcomes: z.array(crawlOutcome) }),
});

/** A page of crawled registrations of one provider application. */
export const registrationsCrawled = defineEvent('crawler.registrations-crawled', {
  payload: z.object({ applicationId: id, realmId: id, ...asked, outcomes: z.array(crawlOutcome) }),
  subscribers: ['enrolment'],
});

/**
 * A sweep has seen every registration of a provider application. One that enrolment holds, made
 * before `startedAt` and not crawled since `sequence`, may be gone there: ask for it by name.
 */
export const registrationsSwept = defineEvent('crawler.registrations-swept', {
  payload: z.object({ applicationId: id, sequence: z.int(), startedAt: timestamp }),
  subscribers: ['enrolment'],
});

/** A page of crawled courses of one provider application. */
export const coursesCrawled = defineEvent('crawler.courses-crawled', {
  payload: z.object({
    applicationId: id,
    sequence: z.int(),
    crawledAt: timestamp,
    courses: z.array(providerCourse),
  }),
  subscribers: ['catalog'],
});

/** Every course was seen: what the catalog holds and was not seen since `sequence` is gone. */
export const coursesSwept = defineEvent('crawler.courses-swept', {
  payload: z.object({
    applicationId: id,
    sequence: z.int(),
    startedAt: timestamp,
    courseGuids: z.array(guid),
  }),
  subscribers: ['catalog'],
});
