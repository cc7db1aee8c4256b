import * as z from 'zod';
import { accessScope } from './access.ts';
import { customJson, customMerge } from './merge-custom.ts';
import { defineEvent, defineList, defineRequest } from './message.ts';
import { patterns } from './patterns.ts';
import { completion, resultDigest, success } from './provider-results.ts';
import { textLimits } from './text-limits.ts';
import { emailAddress, filterText, guid, id, timestamp } from './values.ts';

/** Registration record (contract/registrations#record), with the fields in the contract's order. */
export const registrationRecord = z.object({
  id,
  registration_guid: guid,
  course_guid: guid,
  learner_id: z.string(),
  attempts: z.int(),
  complete: z.string().meta({ enum: ['unknown', 'incomplete', 'complete'] }),
  success: z.string().meta({ enum: ['unknown', 'failed', 'succeeded'] }),
  score: z.number().nullable(),
  totaltime: z.number(),
  course_result: z.string().nullable(),
  full_result: z.string().nullable(),
  crawl_type: z.string().nullable(),
  crawl_status: z
    .string()
    .meta({ enum: ['success', 'error'] })
    .nullable(),
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
 * Record of a created registration: the last two references are named `course_provider_id` and
 * `course_id` (contract/registrations#create-references).
 */
export const createdRegistrationRecord = registrationRecord
  .omit({ hosted_app_id: true, hosted_course_id: true })
  .extend({ course_provider_id: id, course_id: id.nullable() });
export type CreatedRegistrationRecord = z.infer<typeof createdRegistrationRecord>;

export const registrationFilters = z.object({
  courseGuid: filterText.optional(),
  /** Registrations for any of these courses (contract/parameters#list-filters). */
  courseGuids: z.array(filterText).max(1000).optional(),
  /** Compared without regard to case. */
  learnerId: filterText.optional(),
  /** The parameter `registration_guid`, or its alias `id`. */
  registrationGuid: filterText.optional(),
  complete: completion.optional(),
  success: success.optional(),
  /** Updated or created at this time or later. */
  updatedSince: timestamp.optional(),
  createdSince: timestamp.optional(),
  patterns: z
    .object({ courseGuid: patterns, learnerId: patterns, registrationGuid: patterns })
    .partial()
    .optional(),
});
export type RegistrationFilters = z.infer<typeof registrationFilters>;

/** The orders of a list of registrations, a minus for a descending one (contract/registrations#sort). */
export const registrationSorts = ['id', '-id', 'updated_at', '-updated_at'] as const;
export type RegistrationSort = (typeof registrationSorts)[number];

/** Registration in a list or alone, with how fresh its result is (contract/registrations#synced-at). */
export const indexedRegistrationRecord = registrationRecord.extend({
  synced_at: timestamp.nullable(),
});

/** Registration in a list that includes inactive ones (contract/registrations#include-inactive). */
export const listedRegistrationRecord = indexedRegistrationRecord.extend({ active: z.boolean() });
export type ListedRegistrationRecord = z.infer<typeof listedRegistrationRecord>;

export const indexRegistrations = defineList('enrolment.index-registrations', {
  callers: ['gateway', 'console'],
  input: z.object({
    scope: accessScope,
    filters: registrationFilters,
    /**
     * Limits the list to the most recently created registration that is neither inactive nor
     * deleted (contract/registrations#usable).
     */
    lastOnly: z.boolean(),
    /** Includes inactive registrations. */
    includeInactive: z.boolean(),
    /** Includes registrations that were deleted at the provider. */
    includeDeleted: z.boolean(),
    /** By id if not given. */
    sort: z.enum(registrationSorts).optional(),
    /** A long list may be up to a minute old (contract/errors#age). */
    mayBeOld: z.boolean().optional(),
  }),
  item: listedRegistrationRecord,
});

/**
 * Finds, for each course, the most recent registration of the scope's user that is neither inactive
 * nor deleted (contract/courses#include-registrations), and the number of such registrations. A
 * user-bound key may know no more of a course's registrations (contract/courses#user-key-count).
 */
export const findLatestRegistrations = defineRequest('enrolment.latest-registrations', {
  callers: ['gateway'],
  input: z.object({
    scope: accessScope,
    courses: z.array(z.object({ applicationId: id, courseGuid: guid })).max(1000),
    /** The `next` of the reply before; null for the first request. */
    cursor: z.string().max(512).nullable(),
  }),
  reply: z.object({
    registrations: z.array(registrationRecord.extend({ count: z.int() })),
    /** Where the next request goes on; null when these are all. */
    next: z.string().nullable(),
  }),
});

/**
 * Console: finds what a registration's record does not show.
 *
 * @throws {Failure} `not-found` when no application in reach has such a registration
 */
export const findRegistrationDetails = defineRequest('enrolment.find-registration-details', {
  callers: ['console'],
  input: z.object({ scope: accessScope, registrationGuid: guid }),
  reply: z.object({
    course_title: z.string().nullable(),
    /** `waiting`: not created at the provider yet; `local`: never created there. */
    provider_state: z.string(),
    /** How often its creation at the provider was begun by a background job. */
    initialize_attempts: z.int(),
    /** Whether the provider said that a launch is still open; null if it did not say. */
    launch_open: z.boolean().nullable(),
    /** When its launches were ended at the provider, because it was deactivated. */
    launches_ended_at: timestamp.nullable(),
    /** The first 20 invitations through which a learner has, or had, the registration. */
    invitations: z.array(
      z.object({
        id,
        name: z.string(),
        license: z.boolean(),
        holds_seat: z.boolean(),
        /** The learner is still in the invitation. */
        member: z.boolean(),
      }),
    ),
  }),
});

/** The most days of one {@link countRegistrationsByDay}. */
export const maxCountedDays = 366;

/**
 * Console: counts the registrations of a course by the days on which they were created, UTC. Inactive and deleted ones are
 * left out, and so are days without any. The numbers are a second old, or ten on an idle system.
 */
export const countRegistrationsByDay = defineRequest('enrolment.count-registrations-by-day', {
  callers: ['console'],
  input: z.object({ scope: accessScope, courseGuid: guid, since: z.iso.date() }),
  reply: z.object({
    /** The newest {@link maxCountedDays} of them, in the order of time. */
    days: z.array(z.object({ day: z.iso.date(), registrations: z.int() })).max(maxCountedDays),
  }),
});

/** Updates a registration (contract/registrations#update). */
export const updateRegistration = defineRequest('enrolment.update-registration', {
  callers: ['gateway'],
  idempotency: 'transactional',
  input: z.object({ scope: accessScope, registrationGuid: guid, custom: customJson }),
  reply: registrationRecord,
});

/**
 * Merges values into the custom data of a registration (contract/registrations#gcustom).
 *
 * @throws {Failure} `not-found`; `invalid` when the stored data are no JSON object, and when they
 * become too long
 */
export const mergeRegistrationCustom = defineRequest('enrolment.merge-registration-custom', {
  callers: ['gateway'],
  idempotency: 'transactional',
  input: z.object({ scope: accessScope, registrationGuid: guid, ...customMerge.shape }),
  reply: registrationRecord,
});

/**
 * Deletes a registration at its provider and marks it as deleted (contract/registrations#delete).
 *
 * @throws {Failure} `not-found` when no application in reach has such a registration that is not
 * deleted, or more than one; `unavailable` when the provider cannot be reached, and nothing is
 * deleted then
 */
export const deleteRegistration = defineRequest('enrolment.delete-registration', {
  callers: ['gateway'],
  idempotency: 'resumable',
  input: z.object({ scope: accessScope, registrationGuid: guid }),
  reply: registrationRecord,
});

/**
 * Operator: lists the registrations that were found at a course provider since a point in time, and that
 * this service did not know: created there by other means, or lost here by a restore.
 */
export const listAdoptedRegistrations = defineList('enrolment.list-adopted-registrations', {
  callers: ['operator'],
  input: z.object({ since: z.iso.datetime() }),
  item: z.object({
    adopted_at: timestamp,
    application: id,
    registration_guid: guid,
    course_guid: guid,
    learner_id: z.string(),
  }),
});

/**
 * Returns which results of a page of a list differ from the stored ones, registrations that are
 * not stored included. Only these need to be published; the others count as crawled by a full sweep.
 */
export const findChangedResults = defineRequest('enrolment.find-changed-results', {
  callers: ['crawler'],
  idempotency: 'natural',
  input: z.object({
    applicationId: id,
    /** The sequence of the first page of a full sweep; null for a page of changes, which is not recorded. */
    sweep: z.int().nullable(),
    /** The sequence of this page. */
    sequence: z.int(),
    results: z.array(z.object({ registrationGuid: guid, digest: resultDigest })).max(1000),
  }),
  reply: z.object({ changed: z.array(guid) }),
});

/**
 * Crawls up to 100 registrations that match the filters before an index is read
 * (contract/registrations#recrawl-limit). A registration that the provider does not return before
 * the deadline keeps its stored state and is crawled soon after.
 */
export const recrawlRegistrations = defineRequest('enrolment.recrawl-registrations', {
  callers: ['gateway', 'console'],
  idempotency: 'natural',
  // A part of reading: it changes no more than a crawl that is due.
  permission: 'read',
  input: z.object({
    scope: accessScope,
    filters: registrationFilters,
    lastOnly: z.boolean(),
    /**
     * `launched`: registrations whose `launched_at` is later than `last_crawled_at`. With
     * `olderThanSeconds`, registrations whose `synced_at` is longer ago, and launched ones if requested.
     */
    which: z.union([
      z.enum(['all', 'launched']),
      z.object({ launched: z.boolean(), olderThanSeconds: z.int().nonnegative() }),
    ]),
  }),
  reply: z.object({ recrawled: z.int() }),
});

export const createRegistration = defineRequest('enrolment.create-registration', {
  callers: ['gateway'],
  idempotency: 'recorded',
  input: z.object({
    scope: accessScope,
    /**
     * The provider application named beside the access mode (contract/access#provider-pair-beside).
     */
    applicationId: id.nullable(),
    courseGuid: guid,
    learnerId: emailAddress,
    firstName: z.string().max(textLimits.personName),
    lastName: z.string().max(textLimits.personName),
    /** Returns the existing registration of this course and learner, if there is one. */
    dontDuplicate: z.boolean(),
    /** Also looks for an existing registration at the provider. */
    checkHosted: z.boolean(),
  }),
  reply: createdRegistrationRecord.extend({
    /** `dontDuplicate` found it (contract/compatibility#dont-duplicate). */
    is_duplicate: z.boolean().optional(),
  }),
});

/** Where the browser goes after a launch: an http or https address. */
export const redirectUrl = z.url({ protocol: /^https?$/ }).max(2000);

/** Response of launch_url (contract/registrations#launch-record). */
export const launchRecord = z.object({ launch_url: z.string() });

export const launchRegistration = defineRequest('enrolment.launch-registration', {
  callers: ['gateway', 'console'],
  idempotency: 'natural',
  permission: 'launch',
  input: z.object({
    scope: accessScope,
    registrationGuid: guid,
    /** Opens the course for reading only: the provider records no progress. */
    review: z.boolean(),
    redirectUrl: redirectUrl.nullable(),
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

/**
 * The number of registrations of courses has changed: of those that are neither inactive nor deleted at
 * the provider. Published at most once a second for each provider application, and for all its courses
 * after a full sweep.
 */
export const registrationsCounted = defineEvent('enrolment.registrations-counted', {
  payload: z.object({
    applicationId: id,
    counts: z
      .array(
        z.object({
          courseGuid: guid,
          registrations: z.int().min(0),
          /** Rises with every count of the course. */
          version: z.int(),
        }),
      )
      .max(500),
  }),
  subscribers: ['catalog'],
});

export const registrationLaunched = defineEvent('enrolment.registration-launched', {
  payload: registrationEvent,
  subscribers: ['crawler'],
});
