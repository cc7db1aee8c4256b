import { type InvitationRecord, invitationRecord, toTimestamp } from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import * as z from 'zod';
import { customWithFreeSeats } from './license-data.ts';

/** A row of {@link invitationColumns}. */
export const invitationRow = invitationRecord.extend({
  created_at: z.date(),
  updated_at: z.date(),
  /** Free seats by course GUID; null for an invitation that never had seats. */
  seats: z.record(z.string(), z.number()).nullable(),
});

/**
 * The columns of a record in a query `FROM invitations AS i`. `registration_guids` are those that
 * its learners have through it, without inactive and deleted registrations.
 */
export const invitationColumns = sql`
  i.id, i.name, i.description, i.enabled, i.license, i.avoid_duplicate_registrations,
  i.no_updates_allowed, i.custom, i.realm_id, i.invitation_template_id, i.created_at, i.updated_at,
  ARRAY(
    SELECT c.course_guid FROM invitation_courses AS c
    WHERE c.invitation_id = i.id ORDER BY c.place
  ) AS course_guids,
  ARRAY(
    SELECT m.learner_id FROM invitation_learners AS m WHERE m.invitation_id = i.id ORDER BY m.id
  ) AS learners,
  ARRAY(
    SELECT r.registration_guid
    FROM invitation_registrations AS a
    JOIN invitation_learners AS m
      ON m.invitation_id = a.invitation_id AND lower(m.learner_id) = a.learner_key
    JOIN registrations AS r ON r.id = a.registration_id AND r.realm_id = i.realm_id
    WHERE a.invitation_id = i.id AND r.active AND r.deleted IS NULL
    ORDER BY m.id, r.id
  ) AS registration_guids,
  (
    SELECT json_object_agg(s.course_guid, s.free ORDER BY s.course_guid)
    FROM invitation_seats AS s WHERE s.invitation_id = i.id
  ) AS seats`;

/** The invitation record (contract/invitations#record). */
export function toInvitationRecord({
  seats,
  ...row
}: Readonly<z.infer<typeof invitationRow>>): InvitationRecord {
  return {
    ...row,
    custom: row.license ? customWithFreeSeats(row.custom, seats ?? {}) : row.custom,
    created_at: toTimestamp(row.created_at),
    updated_at: toTimestamp(row.updated_at),
  };
}
