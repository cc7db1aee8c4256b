import { Outbox } from '@registrar/bus';
import { providerAudited } from '@registrar/contracts';
import { Database, join, raw, sql } from '@registrar/persistence';
import { BadRequestException, Body, HttpCode, Param, Post } from '@nestjs/common';
import * as z from 'zod';
import { ownedBy, type RememberedApplication } from '../access-rules.ts';
import { ApiController } from '../http/api-controller.ts';
import { CurrentApplication } from '../http/api-access.guard.ts';
import { bodyObject, externalId } from '../http/parse.ts';
import { SchemaPipe } from '../http/schema.pipe.ts';
import { learnerAct, learnerNotFound } from './learner-act.ts';

const text = z.string().max(255).optional();

const learnerBody = bodyObject({
  id: externalId.optional(),
  email: text,
  firstName: text,
  lastName: text,
});
type LearnerBody = z.output<typeof learnerBody>;

/** Registrations that one transaction changes. */
const batchRows = 500;

const idRow = z.object({ id: z.number() });

interface Change {
  readonly column: string;
  readonly value: string;
}

/**
 * Changes the e-mail address and the names in all registrations of a learner, batch by batch. A request that is
 * interrupted can be repeated, and changes the rest.
 */
@ApiController('learner/:learnerId/updateInfo')
export class UpdateLearner {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /**
   * @throws {NotFoundException} if the application has no registration of the learner
   * @throws {BadRequestException} for another id, and if nothing is to be changed
   */
  @Post()
  @HttpCode(204)
  async update(
    @CurrentApplication() application: RememberedApplication,
    @Param('learnerId') learnerId: string,
    @Body(new SchemaPipe(learnerBody)) { id, email, firstName, lastName }: LearnerBody,
  ): Promise<void> {
    if (id !== undefined && id !== learnerId) {
      throw new BadRequestException('id: the id of a learner cannot be changed');
    }
    const changes = Object.entries({ email, first_name: firstName, last_name: lastName }).flatMap(
      ([column, value]) => (value === undefined ? [] : [{ column, value }]),
    );
    if (changes.length === 0) {
      throw new BadRequestException('Give email, firstName or lastName, or several of them.');
    }
    const isFound = await this.database.execute(
      sql`SELECT FROM registrations AS r
          WHERE ${ownedBy(application, 'r')} AND r.learner_id = ${learnerId} LIMIT 1`,
    );
    if (isFound === 0) throw learnerNotFound(learnerId);
    let last: number | null = 0;
    while (last !== null) last = await this.changeBatch(application, learnerId, changes, last);
  }

  /**
   * Changes the next registrations that have other values. Each batch begins after the one before: two requests with
   * different values both end.
   *
   * @param after the last registration of the batch before
   * @returns the last registration of the batch; null if there are no more
   */
  private changeBatch(
    application: RememberedApplication,
    learnerId: string,
    changes: readonly Change[],
    after: number,
  ): Promise<number | null> {
    const assignments = changes.map(({ column, value }) => sql`${raw(column)} = ${value}`);
    const differences = changes.map(
      ({ column, value }) => sql`r.${raw(column)} IS DISTINCT FROM ${value}`,
    );
    return this.database.transaction(async () => {
      const changed = await this.database.many(
        idRow,
        sql`UPDATE registrations AS t
            SET ${join(assignments, ', ')}, updated_at = clock_timestamp()
            WHERE ${ownedBy(application, 't')} AND t.id IN (
              SELECT r.id FROM registrations AS r
              WHERE ${ownedBy(application, 'r')} AND r.learner_id = ${learnerId}
                AND r.id > ${after} AND (${join(differences, ' OR ')})
              ORDER BY r.id LIMIT ${batchRows} FOR NO KEY UPDATE
            )
            RETURNING t.id`,
      );
      if (changed.length > 0) {
        const act = learnerAct('learner.changed-at-provider', application, changed.length);
        await this.outbox.publish(providerAudited, act);
      }
      return changed.length < batchRows ? null : Math.max(...changed.map(({ id }) => id));
    });
  }
}
