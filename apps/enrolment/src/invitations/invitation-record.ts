import { type InvitationRecord, toTimestamp } from '#libs/contracts';
import { customWithSeats } from './license-data.ts';

/** An invitation as {@link invitationColumns} select it. */
export type InvitationRow = Omit<InvitationRecord, 'created_at' | 'updated_at'> & {
  readonly created_at: Date;
  readonly updated_at: Date;
  /** Free seats by course; null when it never had any. */
  readonly seats: Readonly<Record<string, number>> | null;
};

/**
 * What a query `FROM invitations AS i` selects for a record. The registrations are those that its
 * learners have through it: not those that are inactive or deleted at the provider.
 */
export const invitationColumns = `
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
    FROM invitation_registrations AS g
    JOIN invitation_learners AS m
      ON m.invitation_id = g.invitation_id AND lower(m.learner_id) = g.learner_key
    JOIN registrations AS r ON r.id = g.registration_id AND r.realm_id = i.realm_id
    WHERE g.invitation_id = i.id AND r.active AND r.deleted IS NULL
    ORDER BY m.id, r.id
  ) AS registration_guids,
  (
    SELECT json_object_agg(s.course_guid, s.free ORDER BY s.course_guid)
    FROM invitation_seats AS s WHERE s.invitation_id = i.id
  ) AS seats`;

/** The invitation record of api-v2.md. */
export function invitationRecord({ seats, ...row }: InvitationRow): InvitationRecord {
  return {
    ...row,
    custom: row.license ? customWithSeats(row.custom, seats ?? {}) : row.custom,
    created_at: toTimestamp(row.created_at),
    updated_at: toTimestamp(row.updated_at),
  };
}
