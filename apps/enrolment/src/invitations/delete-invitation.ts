import { HandleRequest, type InputOf, Outbox } from '@registrar/bus';
import { deleteInvitation, type InvitationRecord } from '@registrar/contracts';
import { Database, type Sql, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { reachedInvitations, requireRealmAccess } from '../access-rules.ts';
import { publishAct } from '../publish-act.ts';
import { learnerOfAssignment } from './assignment-joins.ts';
import { InvitationRepository, type LockedInvitation } from './invitation-repository.ts';

/** The tables that belong to an invitation, in the order of their deletion. */
const parts = [
  sql`invitation_registrations`,
  sql`invitation_learners`,
  sql`invitation_courses`,
  sql`invitation_seats`,
];

/** Deletes an invitation (contract/invitations#delete), closed ones too. */
@Controller()
export class DeleteInvitation {
  constructor(
    private readonly database: Database,
    private readonly invitations: InvitationRepository,
    private readonly outbox: Outbox,
  ) {}

  /** @throws {Failure} `not-found` when the realm has no such invitation; `unauthenticated` */
  @HandleRequest(deleteInvitation)
  async delete({ scope, id }: InputOf<typeof deleteInvitation>): Promise<InvitationRecord> {
    requireRealmAccess(scope);
    return this.database.transaction(async () => {
      const invitation = await this.invitations.lock(scope, { by: 'id', id });
      const record = await this.invitations.record(scope, id);
      await this.deactivateRegistrations(invitation);
      for (const table of parts) {
        await this.database.execute(sql`DELETE FROM ${table} WHERE invitation_id = ${id}`);
      }
      await this.database.execute(
        sql`DELETE FROM invitations AS i WHERE ${reachedInvitations(scope)} AND i.id = ${id}`,
      );
      await publishAct(this.outbox, scope, 'invitation.deleted', {
        invitation_id: id,
        learners_removed: record.learners.length,
      });
      return record;
    });
  }

  /**
   * As the removal of all learners does (contract/invitations#delete-registrations). What another
   * invitation shares is read after the registrations were locked: of two invitations that are
   * deleted concurrently, the second one sees that the first one is gone.
   */
  private async deactivateRegistrations({ id, applicationIds }: LockedInvitation): Promise<void> {
    await this.database.one(
      z.object({ count: z.number() }),
      sql`SELECT count(*) FROM (
            SELECT r.id FROM registrations AS r
            WHERE r.provider_application_id = ANY(${applicationIds})
              AND r.id IN (${assignedBy(sql`= ${id}`)})
            ORDER BY r.id
            FOR UPDATE
          ) AS locked`,
    );
    await this.database.execute(
      sql`UPDATE registrations AS r SET active = false, updated_at = now()
          WHERE r.provider_application_id = ANY(${applicationIds}) AND r.active
            AND r.id IN (${assignedBy(sql`= ${id}`)})
            AND NOT EXISTS (
              ${assignedBy(sql`<> ${id}`)} AND a.registration_id = r.id
            )`,
    );
  }
}

/** Selects the registrations that learners of invitations with a matching id have through them. */
const assignedBy = (id: Sql): Sql => sql`
  SELECT a.registration_id FROM invitation_registrations AS a
  ${learnerOfAssignment}
  WHERE a.invitation_id ${id}`;
