import * as z from 'zod';
import { guid, timestamp } from './values.ts';

/**
 * A registration's result as a course provider tells it, in our words. Made by the course-provider
 * adapter from the provider's version 2 result; times are ISO 8601, durations whole seconds.
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
  completion: z.enum(['unknown', 'incomplete', 'complete']),
  success: z.enum(['unknown', 'failed', 'succeeded']),
  /** 0 to 100, or null when none was reported. */
  score: z.number().nullable(),
  totalSeconds: z.number(),
  attempts: z.int(),
  createdAt: timestamp.nullable(),
  updatedAt: timestamp.nullable(),
  completedAt: timestamp.nullable(),
  accessedAt: timestamp.nullable(),
  /** The provider's activity tree with its runtime data, untouched; only in crawl mode `full`. */
  activity: z.json().nullable(),
});
export type ProviderRegistration = z.infer<typeof providerRegistration>;

/** A course as a course provider tells it. */
export const providerCourse = z.object({
  courseGuid: guid,
  title: z.string(),
  version: z.int(),
  /** Bytes of the package, where the provider tells them, else 0. */
  size: z.int(),
  registrationCount: z.int(),
  learningStandard: z.string().nullable(),
  metadata: z.object({
    title: z.string(),
    description: z.string(),
    duration: z.string(),
    typicaltime: z.string(),
    keywords: z.array(z.string()),
  }),
  createdAt: timestamp.nullable(),
  updatedAt: timestamp.nullable(),
});
export type ProviderCourse = z.infer<typeof providerCourse>;

/** The results format of a crawl (api-v2.md: crawl_type). */
export const crawlType = z.enum(['course', 'full']);
export type CrawlType = z.infer<typeof crawlType>;
