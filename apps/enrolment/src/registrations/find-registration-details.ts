import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { Failure, findRegistrationDetails } from '@registrar/contracts';
import { Database, sql, timestampOf } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import { reachedInvitations } from '../access-rules.ts';
import { courseColumn } from './registration-record.ts';
import { selectRegistrations } from './select-registrations.ts';

const maxInvitations = 20;

/** Finds what a registration's record does not show, for the console. */
@Controller()
export class FindRegistrationDetails {
  constructor(private readonly database: Database) {}

  @HandleRequest(findRegistrationDetails)
  async find({
    scope,
    registrationGuid,
  }: InputOf<typeof findRegistrationDetails>): Promise<ReplyOf<typeof findRegistrationDetails>> {
    const which = { includeInactive: true, includeDeleted: true };
    const details = await this.database.maybeOne(
      findRegistrationDetails.reply,
      sql`SELECT ${courseColumn(sql`c.title`)} AS course_title, r.provider_state,
                 r.initialize_attempts, r.launch_open,
                 ${timestampOf(sql`r.launches_ended_at`)} AS launches_ended_at,
                 (
                   SELECT coalesce(json_agg(found ORDER BY found.id), '[]')
                   FROM (
                     SELECT i.id, i.name, i.license, a.holds_seat,
                            EXISTS (
                              SELECT FROM invitation_learners AS m
                              WHERE m.invitation_id = a.invitation_id
                                AND lower(m.learner_id) = a.learner_key
                            ) AS member
                     FROM invitation_registrations AS a
                     JOIN invitations AS i ON i.id = a.invitation_id
                     WHERE a.registration_id = r.id AND ${reachedInvitations(scope)}
                     ORDER BY i.id
                     LIMIT ${maxInvitations}
                   ) AS found
                 ) AS invitations
          FROM (${selectRegistrations(scope, { registrationGuid }, which)}) AS r
          ORDER BY r.id LIMIT 1`,
    );
    if (!details) throw new Failure('not-found', 'no such registration for this access');
    return details;
  }
}
