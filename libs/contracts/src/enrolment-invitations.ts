import * as z from 'zod';
import { accessScope } from './access.ts';
import { customJson, customText } from './merge-custom.ts';
import { defineList, defineRequest } from './message.ts';
import { textLimits } from './text-limits.ts';
import { emailAddress, filterText, guid, id, timestamp } from './values.ts';

/**
 * Invitation record with the fields of both field sets (contract/invitations#record); the gateway
 * removes the fields outside of the requested set. `custom` of a license is JSON text that contains
 * `license_data`, the number of free seats per course.
 */
export const invitationRecord = z.object({
  id,
  name: z.string(),
  description: z.string().nullable(),
  enabled: z.boolean(),
  license: z.boolean(),
  avoid_duplicate_registrations: z.boolean(),
  no_updates_allowed: z.boolean(),
  custom: z.string().nullable(),
  course_guids: z.array(z.string()),
  learners: z.array(z.string()),
  registration_guids: z.array(z.string()),
  realm_id: id,
  invitation_template_id: id.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type InvitationRecord = z.infer<typeof invitationRecord>;

/**
 * Lists the realm's invitations. This request and the others of this file need realm access without
 * a bound user (contract/invitations#realm-access-only). If the realm allows it, a user-bound key may ask for one name,
 * and create licenses (contract/compatibility#user-licenses).
 *
 * @throws {Failure} `unauthenticated` for any other access
 */
export const indexInvitations = defineList('enrolment.index-invitations', {
  callers: ['gateway'],
  input: z.object({
    scope: accessScope,
    filters: z.object({ id: id.optional(), name: filterText.optional() }),
  }),
  item: invitationRecord,
});

const invitationFields = {
  description: z.string().max(textLimits.description).nullable(),
  enabled: z.boolean().nullable(),
  license: z.boolean().nullable(),
  avoidDuplicateRegistrations: z.boolean().nullable(),
  noUpdatesAllowed: z.boolean().nullable(),
  custom: customText,
  /** Replaces `license_data` in `custom`. */
  licenseData: customJson.nullable().default(null),
  courseGuids: z.array(guid).max(1000).nullable(),
  invitationTemplateId: id.nullable(),
};

/**
 * Creates an invitation (contract/invitations#create). A field that is null gets its default:
 * enabled, no license, updates allowed, no courses.
 *
 * @throws {Failure} `invalid` when the realm has an invitation of that name, and without a name
 * unless it is a license; `not-found` for an unknown course
 */
export const createInvitation = defineRequest('enrolment.create-invitation', {
  callers: ['gateway'],
  idempotency: 'transactional',
  input: z.object({
    scope: accessScope,
    /** Null: a license gets a generated key. */
    name: z.string().min(1).max(textLimits.name).nullable(),
    ...invitationFields,
  }),
  reply: invitationRecord,
});

/**
 * Updates an invitation; a field that is null keeps its value.
 *
 * @throws {Failure} `not-found` when the realm has no such invitation
 */
export const updateInvitation = defineRequest('enrolment.update-invitation', {
  callers: ['gateway'],
  idempotency: 'transactional',
  input: z.object({
    scope: accessScope,
    invitation: z.discriminatedUnion('by', [
      z.object({ by: z.literal('id'), id }),
      z.object({ by: z.literal('name'), name: filterText }),
    ]),
    name: z.string().min(1).max(textLimits.name).nullable(),
    ...invitationFields,
  }),
  reply: invitationRecord,
});

/**
 * Deletes an invitation with its learners and seats (contract/invitations#delete). The reply is its
 * last record.
 *
 * @throws {Failure} `not-found` when the realm has no such invitation
 */
export const deleteInvitation = defineRequest('enrolment.delete-invitation', {
  callers: ['gateway'],
  idempotency: 'transactional',
  input: z.object({ scope: accessScope, id }),
  reply: invitationRecord,
});

/**
 * The most rows that are counted for one number of an {@link invitationSummary}. A larger number is shown as one
 * more than this.
 */
export const maxCountedSeats = 100_000;

const seats = z.object({ free: z.int(), taken: z.int() });

/** An invitation with its numbers in place of its learners and registrations. */
export const invitationSummary = invitationRecord
  .pick({
    id: true,
    name: true,
    description: true,
    enabled: true,
    license: true,
    avoid_duplicate_registrations: true,
    no_updates_allowed: true,
    created_at: true,
    updated_at: true,
  })
  .extend({
    courses: z.int(),
    /** The number of learners: {@link maxCountedSeats} + 1 for more. */
    learners: z.int(),
    /** Of all courses; null for an invitation that is no license. `taken`: {@link maxCountedSeats} + 1 for more. */
    seats: seats.nullable(),
  });

/** Console: lists the realm's invitations, the newest first. */
export const listInvitationSummaries = defineList('enrolment.list-invitation-summaries', {
  callers: ['console'],
  input: z.object({
    scope: accessScope,
    filters: z.object({ id: id.optional(), name: filterText.optional() }),
  }),
  item: invitationSummary,
});

/**
 * Console: lists the courses of an invitation in their order, with their seats. `taken` counts the first
 * {@link maxCountedSeats} seats of the invitation.
 *
 * @throws {Failure} `not-found` when the realm has no such invitation
 */
export const listInvitationCourses = defineList('enrolment.list-invitation-courses', {
  callers: ['console'],
  input: z.object({ scope: accessScope, invitationId: id }),
  item: z.object({
    course_guid: guid,
    title: z.string(),
    /** The course was deleted at its provider. */
    deleted: z.boolean(),
    /** Null for a course without seats. */
    seats: seats.nullable(),
  }),
});

/** The most registrations of a learner that {@link listInvitationLearners} shows. */
export const maxShownAssignments = 20;

/**
 * Console: lists the learners of an invitation in the order in which they joined, with what became of the
 * registrations that they have through it.
 *
 * @throws {Failure} `not-found` when the realm has no such invitation
 */
export const listInvitationLearners = defineList('enrolment.list-invitation-learners', {
  callers: ['console'],
  input: z.object({
    scope: accessScope,
    invitationId: id,
    /** Compared without regard to case; null for all learners. */
    learnerId: filterText.nullable(),
  }),
  item: z.object({
    learner_id: z.string(),
    /** The first {@link maxShownAssignments}, by course GUID. */
    registrations: z.array(
      z.object({
        course_guid: guid,
        registration_guid: guid,
        /** `waiting`: not created at the provider yet; `local`: never created there. */
        provider_state: z.string(),
        holds_seat: z.boolean(),
        launched_at: timestamp.nullable(),
        complete: z.string(),
        success: z.string(),
        score: z.number().nullable(),
        deleted: z.boolean(),
      }),
    ),
    hasMore: z.boolean(),
  }),
});

/** The most learners of a {@link previewLearners} request. */
export const maxPreviewedLearners = 1_000;

/** A course that a learner gets no registration for. */
const missedCourse = z.object({ course_guid: guid, title: z.string() });

/**
 * Console: says what {@link addLearners} would do for learners now, and changes nothing.
 *
 * @throws {Failure} `not-found` when the realm has no such invitation
 */
export const previewLearners = defineRequest('enrolment.preview-learners', {
  callers: ['console'],
  permission: 'write',
  input: z.object({
    scope: accessScope,
    invitationId: id,
    learners: z.array(emailAddress).max(maxPreviewedLearners),
  }),
  reply: z.object({
    /** The invitation's name, which {@link addLearners} takes. */
    name: z.string(),
    /** Why nobody can be added; null for an open invitation. */
    closed: z.enum(['disabled', 'no-updates']).nullable(),
    /** Each learner once, in the order of the request; none for a closed invitation. */
    learners: z.array(
      z.object({
        learner_id: z.string(),
        /** The learner is in the invitation already. */
        member: z.boolean(),
        /** The number of registrations that the learner gets: new ones, and existing ones. */
        created: z.int(),
        assigned: z.int(),
        /** The first of the courses that the learner gets no registration for, and their number. */
        without_seat: z.array(missedCourse),
        without_seat_count: z.int(),
        deleted_courses: z.array(missedCourse),
        deleted_courses_count: z.int(),
      }),
    ),
    /** The change of the free seats of each course that changes, and how many are free now. */
    seats: z.array(
      z.object({ course_guid: guid, title: z.string(), free: z.int(), change: z.int() }),
    ),
  }),
});

/** Registrations by learner and course (contract/invitations#add-registration-guids). */
export const registrationGuids = z.record(
  z.string(),
  z.record(z.string(), z.object({ title: z.string(), registration_guid: z.string() })),
);

/**
 * Adds learners to an invitation and removes others, with their registrations and seats
 * (contract/invitations#seats).
 *
 * @throws {Failure} `not-found` when the realm has no invitation of that name
 */
export const addLearners = defineRequest('enrolment.add-learners', {
  callers: ['gateway', 'console'],
  idempotency: 'resumable',
  input: z.object({
    scope: accessScope,
    name: filterText,
    learners: z.array(emailAddress).max(20_000),
    unlearners: z.array(emailAddress).max(20_000),
    /**
     * True: the registrations exist at the provider before the reply. False: they are created there
     * soon after.
     */
    nodelay: z.boolean(),
    /** True: the registrations are never created at the provider (for tests of clients). */
    skipExternalInitialization: z.boolean(),
  }),
  reply: z.object({
    record: invitationRecord,
    registrationGuids,
    /** What was not done and why, and each learner added, for the user of the client's program. */
    messages: z.array(z.string()),
  }),
});
