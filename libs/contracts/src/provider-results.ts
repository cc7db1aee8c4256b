import * as z from 'zod';
import { guid, timestamp } from './values.ts';

/** Whether a registration is complete (contract/registrations#record-complete). */
export const completion = z.enum(['unknown', 'incomplete', 'complete']);

/** Whether a registration has succeeded (contract/registrations#record-success). */
export const success = z.enum(['unknown', 'failed', 'succeeded']);

/**
 * A registration's result, translated from the provider's API by the course-provider adapter. Times
 * are ISO 8601, durations in seconds.
 */
export const providerRegistration = z.object({
  registrationGuid: guid,
  courseGuid: guid,
  courseTitle: z.string(),
  courseVersion: z.int(),
  instance: z.int(),
  learner: z.object({
    id: z.string(),
    email: z.string().nullable(),
    firstName: z.string(),
    lastName: z.string(),
  }),
  completion,
  success,
  /** 0 to 100; null when none was reported. */
  score: z.number().nullable(),
  totalSeconds: z.number(),
  attempts: z.int(),
  createdAt: timestamp.nullable(),
  updatedAt: timestamp.nullable(),
  completedAt: timestamp.nullable(),
  accessedAt: timestamp.nullable(),
  /** Whether a tracked course window may still report; null if the provider does not state it. */
  hasOpenLaunch: z.boolean().nullish(),
  /**
   * The provider's activity tree with its runtime data, unchanged; null unless the crawl type is
   * `full`.
   */
  activity: z.json().nullable(),
});
export type ProviderRegistration = z.infer<typeof providerRegistration>;

/**
 * Identifies a result and its crawl type: two results of a registration with the same digest are equal.
 * 128 bits in hexadecimal digits.
 */
export const resultDigest = z.string().regex(/^[0-9a-f]{32}$/);

/** Warnings of the import of a course: at most 30, of at most 500 characters each. */
const courseWarnings = z.array(z.string().max(500)).max(30);

/** A course, translated from the provider's API by the course-provider adapter. */
export const providerCourse = z.object({
  courseGuid: guid,
  title: z.string(),
  version: z.int(),
  /** Size of the package in bytes; 0 when the provider does not send it. */
  size: z.int(),
  learningStandard: z.string().nullable(),
  metadata: z.object({
    title: z.string(),
    description: z.string(),
    duration: z.string(),
    typicaltime: z.string(),
    keywords: z.array(z.string()),
  }),
  /** What the provider's import does not obey in the package; null when the provider does not say. */
  warnings: courseWarnings.nullable(),
  createdAt: timestamp.nullable(),
  updatedAt: timestamp.nullable(),
});
export type ProviderCourse = z.infer<typeof providerCourse>;

/** How much of a result is crawled (contract/registrations#record-crawl-type). */
export const crawlType = z.enum(['course', 'full']);
export type CrawlType = z.infer<typeof crawlType>;
