import { Outbox } from '@registrar/bus';
import { providerAudited } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { HttpCode, Param, Post } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { ownedBy, type RememberedApplication } from '../access-rules.ts';
import { ApiController } from '../http/api-controller.ts';
import { CurrentApplication } from '../http/api-access.guard.ts';
import { QueryParameters } from '../http/query-parameters.ts';
import { SchemaPipe } from '../http/schema.pipe.ts';
import { learnerAct, learnerNotFound } from './learner-act.ts';

/** SCORM Cloud requires the address of the one who asks; here the audit log names the application. */
const eraseQuery = z.strictObject({ userEmail: z.string().max(255).optional() });

/**
 * Erases who a learner is from all registrations. The results stay, under an id that says nothing: statistics of courses
 * do not change. What the content stored may name the learner, and is erased too.
 */
@ApiController('learner/:learnerId/delete-information')
export class EraseLearner {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /** @throws {NotFoundException} if the application has no registration of the learner */
  @Post()
  @HttpCode(204)
  async erase(
    @CurrentApplication() application: RememberedApplication,
    @Param('learnerId') learnerId: string,
    @QueryParameters(new SchemaPipe(eraseQuery)) _: unknown,
  ): Promise<void> {
    const erasedId = `erased-${randomUUID()}`;
    await this.database.transaction(async () => {
      // Links that exist open no window any more.
      const erased = await this.database.execute(
        sql`UPDATE registrations AS r
            SET learner_id = ${erasedId}, email = NULL, first_name = '', last_name = '',
                shared_data = DEFAULT, launch_generation = launch_generation + 1,
                updated_at = clock_timestamp()
            WHERE ${ownedBy(application, 'r')} AND r.learner_id = ${learnerId}`,
      );
      if (erased === 0) throw learnerNotFound(learnerId);
      const ofErased = sql`r.id = t.registration AND ${ownedBy(application, 'r')}
                           AND r.learner_id = ${erasedId}`;
      await this.database.execute(
        sql`UPDATE sco_states AS t SET runtime = DEFAULT, branch_sequences = DEFAULT
            FROM registrations AS r WHERE ${ofErased}`,
      );
      await this.database.execute(
        sql`UPDATE launches AS t SET redirect_url = NULL, css_url = NULL,
              expires_at = least(t.expires_at, now())
            FROM registrations AS r WHERE ${ofErased}`,
      );
      await this.database.execute(
        sql`DELETE FROM registration_configurations AS t USING registrations AS r WHERE ${ofErased}`,
      );
      await this.database.execute(
        sql`DELETE FROM postbacks AS t USING registrations AS r WHERE ${ofErased}`,
      );
      const act = learnerAct('learner.erased-at-provider', application, erased);
      await this.outbox.publish(providerAudited, act);
    });
  }
}
