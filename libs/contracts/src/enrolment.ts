import * as z from 'zod';
import { accessScope } from './access.ts';
import { defineEvent, defineList, defineRequest } from './message.ts';
import { patterns } from './patterns.ts';
import { emailAddress, guid, id, timestamp } from './values.ts';

/** Registration record (api-v2.md, Resources), field by field in the contract's order. */
export const registrationRecord = z.object({
  id,
  registration_guid: guid,
  course_guid: guid,
  learner_id: z.string(),
  attempts: z.int(),
  complete: z.string(),
  success: z.string(),
  score: z.number().nullable(),
  totaltime: z.number(),
  course_result: z.string().nullable(),
  full_result: z.string().nullable(),
  crawl_type: z.string().nullable(),
  crawl_status: z.string().nullable(),
  crawl_error_msg: z.string().nullable(),
  number_of_crawl_errors: z.int(),
  last_crawled_at: timestamp.nullable(),
  launched_at: timestamp.nullable(),
  provider_created_at: timestamp.nullable(),
  provider_completed_at: timestamp.nullable(),
  provider_accessed_at: timestamp.nullable(),
  provider_errcode: z.string().nullable(),
  provider_error_message: z.string().nullable(),
  deleted: z.int().nullable(),
  custom: z.json().nullable(),
  hosted_app_id: id,
  hosted_course_id: id.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type RegistrationRecord = z.infer<typeof registrationRecord>;

/**
 * The answer of registration create: the same record, its last two references under the names
 * `course_provider_id` and `course_id` (api-v2.md, Registration record).
 */
export const createdRegistrationRecord = registrationRecord
  .omit({ hosted_app_id: true, hosted_course_id: true })
  .extend({ course_provider_id: id, course_id: id.nullable() });
export type CreatedRegistrationRecord = z.infer<typeof createdRegistrationRecord>;

export const registrationFilters = z.object({
  courseGuid: z.string().optional(),
  /** Compared without regard to case. */
  learnerId: z.string().optional(),
  /** `registration_guid`, and `id`, which names the same thing. */
  registrationGuid: z.string().optional(),
  patterns: z
    .object({ courseGuid: patterns, learnerId: patterns, registrationGuid: patterns })
    .partial()
    .optional(),
});
export type RegistrationFilters = z.infer<typeof registrationFilters>;

/** A registration in a list that shows inactive ones too (decision 18). */
export const listedRegistrationRecord = registrationRecord.extend({ active: z.boolean() });
export type ListedRegistrationRecord = z.infer<typeof listedRegistrationRecord>;

export const indexRegistrations = defineList('enrolment.index-registrations', {
  input: z.object({
    scope: accessScope,
    filters: registrationFilters,
    /** Only the most recently created one that is neither inactive nor deleted (decision 18). */
    lastOnly: z.boolean(),
    /** Inactive ones too. */
    includeInactive: z.boolean().default(false),
  }),
  item: listedRegistrationRecord,
});

/**
 * The most recent registration of the scope's user in each of these courses, where there is one
 * that is neither inactive nor deleted (api-v2.md, include_registrations), and how many such ones
 * the user has there: all that such a key may know of a course's registrations (decision 14).
 */
export const latestRegistrations = defineRequest('enrolment.latest-registrations', {
  input: z.object({
    scope: accessScope,
    courses: z.array(z.object({ applicationId: id, courseGuid: guid })).max(1000),
  }),
  reply: z.object({ registrations: z.array(registrationRecord.extend({ count: z.int() })) }),
});

/** Registration update (decision 22). */
export const updateRegistration = defineRequest('enrolment.update-registration', {
  changes: 'once',
  input: z.object({ scope: accessScope, registrationGuid: guid, custom: z.json() }),
  reply: registrationRecord,
});

/**
 * Brings what `filters` name up to date with the provider before an index answers: at most 100
 * registrations, within the deadline (decision 29). What could not be asked in time stays as it
 * is stored and is crawled soon after.
 */
export const recrawlRegistrations = defineRequest('enrolment.recrawl-registrations', {
  changes: 'again',
  input: z.object({
    scope: accessScope,
    filters: registrationFilters,
    lastOnly: z.boolean(),
    /** `launched`: only those whose launched_at is newer than their last_crawled_at. */
    which: z.enum(['all', 'launched']),
  }),
  reply: z.object({ recrawled: z.int() }),
});

export const createRegistration = defineRequest('enrolment.create-registration', {
  changes: 'resumed',
  input: z.object({
    scope: accessScope,
    /** The provider application that the request named beside its access mode (decision 13). */
    applicationId: id.nullable(),
    courseGuid: guid,
    learnerId: emailAddress,
    firstName: z.string().max(255),
    lastName: z.string().max(255),
    /** Answer the existing registration of this course and learner, if there is one. */
    dontDuplicate: z.boolean(),
    /** Look for an existing one at the provider too. */
    checkHosted: z.boolean(),
  }),
  reply: createdRegistrationRecord,
});

/** The answer of launch_url (decision 20). */
export const launchRecord = z.object({ launch_url: z.string() });

export const launchRegistration = defineRequest('enrolment.launch-registration', {
  changes: 'again',
  input: z.object({
    scope: accessScope,
    registrationGuid: guid,
    /** Opens the course for reading only: no progress is tracked. */
    review: z.boolean(),
    redirectUrl: z.url({ protocol: /^https?$/ }).nullable(),
  }),
  reply: launchRecord,
});

const registrationEvent = z.object({
  registrationGuid: guid,
  applicationId: id,
  courseGuid: guid,
  at: timestamp,
});

export const registrationCreated = defineEvent('enrolment.registration-created', {
  payload: registrationEvent,
  subscribers: ['crawler'],
});

export const registrationLaunched = defineEvent('enrolment.registration-launched', {
  payload: registrationEvent,
  subscribers: ['crawler'],
});
