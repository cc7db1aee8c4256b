import type pg from 'pg';

/** What is inserted: each learner gets a registration for each course. */
export interface LearnersToInsert {
  readonly realmId: number;
  readonly applicationId: number;
  readonly invitationId: number;
  /** E-mail addresses in lower case, which no user has. */
  readonly learners: readonly string[];
  readonly courseGuids: readonly string[];
}

/**
 * Inserts the rows of add_learners with `skip_external_initialization` in one transaction: a multi-row INSERT for each
 * table, without seats, checks of what exists, locks and messages.
 */
export async function insertLearners(
  database: pg.Client,
  { realmId, applicationId, invitationId, learners, courseGuids }: LearnersToInsert,
): Promise<void> {
  await database.query('BEGIN');
  try {
    const users = await database.query<{ id: string; email: string }>(
      'INSERT INTO identity.users (email) SELECT unnest($1::text[]) RETURNING id, email',
      [learners],
    );
    const members = await database.query<{ id: string; email: string }>(
      `INSERT INTO identity.realm_users (realm_id, user_id, email, public_user_id)
       SELECT $1, u.id, u.email, nextval('identity.public_user_ids')
       FROM unnest($2::bigint[], $3::text[]) AS u (id, email)
       RETURNING public_user_id AS id, email`,
      [realmId, users.rows.map(({ id }) => id), users.rows.map(({ email }) => email)],
    );
    const userIds = members.rows.map(({ id }) => id);
    const emails = members.rows.map(({ email }) => email);
    await database.query(
      `INSERT INTO enrolment.invitation_learners (invitation_id, learner_id, user_id)
       SELECT $1, u.email, u.id FROM unnest($2::bigint[], $3::text[]) AS u (id, email)`,
      [invitationId, userIds, emails],
    );
    const registrations = await database.query<Registration>(
      `INSERT INTO enrolment.registrations (
         realm_id, provider_application_id, registration_guid, course_guid, learner_id, user_id, provider_state
       )
       SELECT $1, $2, gen_random_uuid(), course_guid, u.email, u.id, 'local'
       FROM unnest($3::bigint[], $4::text[]) AS u (id, email), unnest($5::text[]) AS course_guid
       RETURNING id, learner_id, course_guid`,
      [realmId, applicationId, userIds, emails, courseGuids],
    );
    await database.query(
      `INSERT INTO enrolment.invitation_registrations (
         invitation_id, learner_key, course_guid, registration_id, holds_seat
       )
       SELECT $1, r.*, false FROM unnest($2::text[], $3::text[], $4::bigint[]) AS r`,
      [
        invitationId,
        registrations.rows.map(({ learner_id }) => learner_id),
        registrations.rows.map(({ course_guid }) => course_guid),
        registrations.rows.map(({ id }) => id),
      ],
    );
    await database.query('COMMIT');
  } catch (error) {
    await database.query('ROLLBACK');
    throw error;
  }
}

interface Registration {
  readonly id: string;
  readonly learner_id: string;
  readonly course_guid: string;
}
