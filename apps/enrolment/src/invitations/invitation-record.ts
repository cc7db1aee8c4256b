import { type AccessScope, type InvitationRecord, invitationRecord } from '@registrar/contracts';
import { bytesOf, sendableText, type Sql, sql, timestampOf } from '@registrar/persistence';
import * as z from 'zod';
import { learnerOfAssignment, registrationOfAssignment } from './assignment-joins.ts';
import { customWithFreeSeats } from './license-data.ts';

/** A row of {@link invitationColumns}. */
export const invitationRow = invitationRecord.extend({
  /** Free seats by course GUID; null for an invitation that never had seats. */
  seats: z.record(z.string(), z.number()).nullable(),
});

/**
 * How many learners and registrations a record lists at most (contract/invitations#record-limit). It
 * fits into a message of the bus with addresses of any length.
 */
const maxListed = 50_000;

/** The bytes that a row `page` of invitations takes in a list. */
export const invitationBytes = sql`(
  ${bytesOf(sendableText(sql`page.custom`), sql`page.description`)}
  + (
    SELECT coalesce(sum(octet_length(learner_id) + 3), 0) FROM (
      SELECT m.learner_id FROM invitation_learners AS m WHERE m.invitation_id = page.id
      ORDER BY m.id LIMIT ${maxListed}
    ) AS listed
  )
  + 40 * (
    SELECT count(*) FROM (
      SELECT FROM invitation_registrations AS a WHERE a.invitation_id = page.id LIMIT ${maxListed}
    ) AS listed
  )
)`;

/**
 * The columns of a record in a query `FROM invitations AS i`. `registration_guids` are those that
 * its learners have through it, without inactive and deleted registrations.
 */
export const invitationColumns = ({ applicationIds }: AccessScope): Sql => sql`
  i.id, i.name, i.description, i.enabled, i.license, i.avoid_duplicate_registrations,
  i.no_updates_allowed, ${sendableText(sql`i.custom`)} AS custom, i.realm_id, i.invitation_template_id,
  ${timestampOf(sql`i.created_at`)} AS created_at, ${timestampOf(sql`i.updated_at`)} AS updated_at,
  ARRAY(
    SELECT c.course_guid FROM invitation_courses AS c
    WHERE c.invitation_id = i.id ORDER BY c.place
  ) AS course_guids,
  ARRAY(
    SELECT m.learner_id FROM invitation_learners AS m WHERE m.invitation_id = i.id ORDER BY m.id
    LIMIT ${maxListed}
  ) AS learners,
  ARRAY(
    SELECT r.registration_guid
    FROM invitation_registrations AS a
    ${learnerOfAssignment}
    ${registrationOfAssignment(applicationIds)}
    WHERE a.invitation_id = i.id AND r.realm_id = i.realm_id AND r.active AND r.deleted IS NULL
    ORDER BY m.id, r.id
    LIMIT ${maxListed}
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
  return row.license ? { ...row, custom: customWithFreeSeats(row.custom, seats ?? {}) } : row;
}
