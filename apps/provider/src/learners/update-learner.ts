import { Outbox } from '@registrar/bus';
import { providerAudited } from '@registrar/contracts';
import { Database, join, sql } from '@registrar/persistence';
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

/** Changes the e-mail address and the names in all registrations of a learner. */
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
    const changes = [
      ...(email === undefined ? [] : [sql`email = ${email}`]),
      ...(firstName === undefined ? [] : [sql`first_name = ${firstName}`]),
      ...(lastName === undefined ? [] : [sql`last_name = ${lastName}`]),
    ];
    if (changes.length === 0) {
      throw new BadRequestException('Give email, firstName or lastName, or several of them.');
    }
    await this.database.transaction(async () => {
      const changed = await this.database.execute(
        sql`UPDATE registrations AS r
            SET ${join(changes, ', ')}, updated_at = clock_timestamp()
            WHERE ${ownedBy(application, 'r')} AND r.learner_id = ${learnerId}`,
      );
      if (changed === 0) throw learnerNotFound(learnerId);
      const act = learnerAct('learner.changed-at-provider', application, changed);
      await this.outbox.publish(providerAudited, act);
    });
  }
}
