import { type ReplyOf } from '@registrar/bus';
import { type AccessScope, type addLearners } from '@registrar/contracts';
import { Database, type Sql, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import { type RegistrationKey, registrationKey } from '../registrations/registration-key.ts';
import { courseColumn } from '../registrations/registration-record.ts';
import { learnerOfAssignment, registrationOfAssignment } from './assignment-joins.ts';
import { learnerKey } from './plan-learners.ts';

/** An invitation, and a scope with access to its whole realm. */
export interface InvitationKey {
  readonly id: number;
  readonly scope: AccessScope;
}

const assignmentRow = z.object({
  learnerKey: z.string(),
  courseGuid: z.string(),
  registrationGuid: z.string(),
  title: z.string(),
  providerState: z.string(),
});
export type AssignedRegistration = Readonly<z.infer<typeof assignmentRow>>;

/**
 * FROM and WHERE of the registrations that learners of an invitation have through it, without
 * inactive and deleted ones.
 */
const assignedTo = ({ id, scope }: InvitationKey, learners: readonly string[]): Sql => sql`
  FROM invitation_registrations AS a
  ${learnerOfAssignment}
  ${registrationOfAssignment(scope.applicationIds)}
  WHERE a.invitation_id = ${id} AND a.learner_key = ANY(${learners.map(learnerKey)})
    AND r.realm_id = ${scope.realmId} AND r.active AND r.deleted IS NULL`;

/** Finds the registrations that learners have through an invitation. */
@Injectable()
export class FindAssignments {
  constructor(private readonly database: Database) {}

  /** Returns the registrations, in the order of their creation. */
  assigned(
    invitation: InvitationKey,
    learners: readonly string[],
  ): Promise<AssignedRegistration[]> {
    return this.database.many(
      assignmentRow,
      sql`SELECT a.learner_key AS "learnerKey", a.course_guid AS "courseGuid",
                 r.registration_guid AS "registrationGuid", r.provider_state AS "providerState",
                 coalesce(${courseColumn(sql`c.title`)}, a.course_guid) AS title
          ${assignedTo(invitation, learners)}
          ORDER BY r.id`,
    );
  }

  /** Returns the registrations that the provider does not hold yet, the oldest first. */
  queuedRegistrations(
    invitation: InvitationKey,
    learners: readonly string[],
  ): Promise<RegistrationKey[]> {
    return this.database.many(
      registrationKey,
      sql`SELECT r.provider_application_id AS "applicationId", r.id
          ${assignedTo(invitation, learners)}
            AND r.provider_state = 'waiting'
          ORDER BY r.id`,
    );
  }
}

/** Groups registrations by learner, spelled as in `learners`, and by course GUID. */
export function byLearner(
  learners: readonly string[],
  assigned: readonly AssignedRegistration[],
): ReplyOf<typeof addLearners>['registrationGuids'] {
  const byKey = Map.groupBy(assigned, (assignment) => assignment.learnerKey);
  const byCourse = (learnerId: string) =>
    (byKey.get(learnerKey(learnerId)) ?? []).map(
      ({ courseGuid, title, registrationGuid }) =>
        [courseGuid, { title, registration_guid: registrationGuid }] as const,
    );
  return Object.fromEntries(
    learners.map((learnerId) => [learnerId, Object.fromEntries(byCourse(learnerId))]),
  );
}
