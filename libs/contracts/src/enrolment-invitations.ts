import * as z from 'zod';
import { accessScope } from './access.ts';
import { defineList, defineRequest } from './message.ts';
import { emailAddress, guid, id, timestamp } from './values.ts';

/**
 * Invitation record with the fields of both templates (api-v2.md, Invitation record); the gateway
 * leaves out what the chosen one does not show. `custom` of a licence is JSON text that holds
 * `license_data`, the free seats by course.
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
 * The invitations of the realm. Only a realm pair and a key made from one that is bound to no
 * user reach them (decision 14): `unauthenticated` for all others, here and below.
 */
export const indexInvitations = defineList('enrolment.index-invitations', {
  input: z.object({
    scope: accessScope,
    filters: z.object({ id: id.optional(), name: z.string().optional() }),
  }),
  item: invitationRecord,
});

const invitationText = {
  description: z.string().max(65_536).nullable(),
  enabled: z.boolean().nullable(),
  license: z.boolean().nullable(),
  avoidDuplicateRegistrations: z.boolean().nullable(),
  noUpdatesAllowed: z.boolean().nullable(),
  custom: z.string().max(1_048_576).nullable(),
  courseGuids: z.array(guid).max(1000).nullable(),
  invitationTemplateId: id.nullable(),
};

/**
 * Makes an invitation (decision 24). What is null gets its default: enabled, no licence, updates
 * allowed, no courses. A name that the realm has already: `invalid`; an unknown course: `not-found`.
 */
export const createInvitation = defineRequest('enrolment.create-invitation', {
  changes: 'once',
  input: z.object({ scope: accessScope, name: z.string().min(1).max(255), ...invitationText }),
  reply: invitationRecord,
});

/** Sets what is not null; `not-found` when the realm has no such invitation. */
export const updateInvitation = defineRequest('enrolment.update-invitation', {
  changes: 'once',
  input: z.object({
    scope: accessScope,
    invitation: z.discriminatedUnion('by', [
      z.object({ by: z.literal('id'), id }),
      z.object({ by: z.literal('name'), name: z.string() }),
    ]),
    name: z.string().min(1).max(255).nullable(),
    ...invitationText,
  }),
  reply: invitationRecord,
});

/** By learner and course: what the learner really got (api-v2.md, Invitation: add_learners). */
export const registrationGuids = z.record(
  z.string(),
  z.record(z.string(), z.object({ title: z.string(), registration_guid: z.string() })),
);

/**
 * Adds and removes learners, with their registrations and seats (decision 25). `not-found` when
 * the realm has no invitation of that name.
 */
export const addLearners = defineRequest('enrolment.add-learners', {
  changes: 'resumed',
  input: z.object({
    scope: accessScope,
    name: z.string(),
    learners: z.array(emailAddress).max(20_000),
    unlearners: z.array(emailAddress).max(20_000),
    /** Registrations exist at the provider when the answer comes; else they are made soon after. */
    nodelay: z.boolean(),
    /** Registrations are never made at the provider (for tests). */
    skipExternalInitialization: z.boolean(),
  }),
  reply: z.object({
    record: invitationRecord,
    registrationGuids,
    /** For the user of the client's program: what was not done, and why. */
    messages: z.array(z.string()),
  }),
});
