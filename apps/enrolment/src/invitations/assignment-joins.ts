import { type Sql, sql } from '@registrar/persistence';

/*
 * Joins to `invitation_registrations AS a`. Each looks one row up by a unique index. With a plain
 * JOIN, PostgreSQL compares every learner of a large invitation with every registration of it as
 * long as its statistics are older than the invitation, which takes 40 s for 5,000 learners.
 */

/** `m.id`: the learner is still in the invitation. */
export const learnerOfAssignment = sql`
  CROSS JOIN LATERAL (
    SELECT m.id FROM invitation_learners AS m
    WHERE m.invitation_id = a.invitation_id AND lower(m.learner_id) = a.learner_key
    LIMIT 1
  ) AS m`;

/**
 * `r`: the registration.
 *
 * @param applicationIds the provider applications of the invitation's realm
 */
export const registrationOfAssignment = (applicationIds: readonly number[]): Sql => sql`
  CROSS JOIN LATERAL (
    SELECT r.* FROM registrations AS r
    WHERE r.provider_application_id = ANY(${applicationIds}) AND r.id = a.registration_id
    LIMIT 1
  ) AS r`;
