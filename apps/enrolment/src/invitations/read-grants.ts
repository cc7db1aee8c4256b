import { type ReplyOf } from '#libs/bus';
import { type addLearners } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import { learnerKey } from './plan-learners.ts';

interface Named {
  readonly id: number;
  readonly realmId: number;
}

/** The registrations that an invitation's learners have through it: active, and not deleted. */
const grantedTo = `
  FROM invitation_registrations AS g
  JOIN invitation_learners AS m
    ON m.invitation_id = g.invitation_id AND lower(m.learner_id) = g.learner_key
  JOIN registrations AS r
    ON r.id = g.registration_id AND r.realm_id = $2 AND r.active AND r.deleted IS NULL
  WHERE g.invitation_id = $1 AND g.learner_key = ANY($3)`;

/** Reads what learners have got through an invitation. */
@Injectable()
export class ReadGrants {
  constructor(private readonly database: Database) {}

  /** For each of `learners`, as they are written there, what they have by course. */
  async byLearner(
    invitation: Named,
    learners: readonly string[],
  ): Promise<ReplyOf<typeof addLearners>['registrationGuids']> {
    const granted = await this.database.query<{
      learnerKey: string;
      courseGuid: string;
      title: string;
      registrationGuid: string;
    }>(
      `SELECT g.learner_key AS "learnerKey", g.course_guid AS "courseGuid",
              r.registration_guid AS "registrationGuid",
              coalesce(
                (
                  SELECT c.title FROM courses AS c
                  WHERE c.provider_application_id = r.provider_application_id
                    AND c.course_guid = r.course_guid
                  ORDER BY c.deleted, c.id DESC
                  LIMIT 1
                ),
                g.course_guid
              ) AS title
       ${grantedTo}
       ORDER BY r.id`,
      [invitation.id, invitation.realmId, learners.map(learnerKey)],
    );
    const its = Map.groupBy(granted, (each) => each.learnerKey);
    const courses = (learnerId: string) =>
      (its.get(learnerKey(learnerId)) ?? []).map(
        ({ courseGuid, title, registrationGuid }) =>
          [courseGuid, { title, registration_guid: registrationGuid }] as const,
      );
    return Object.fromEntries(
      learners.map((learnerId) => [learnerId, Object.fromEntries(courses(learnerId))]),
    );
  }

  /** The ids of those that the provider does not hold yet, the oldest first. */
  async waiting(invitation: Named, learners: readonly string[]): Promise<number[]> {
    const waiting = await this.database.query<{ id: number }>(
      `SELECT r.id ${grantedTo} AND r.provider_state = 'waiting' ORDER BY r.id`,
      [invitation.id, invitation.realmId, learners.map(learnerKey)],
    );
    return waiting.map((registration) => registration.id);
  }
}
