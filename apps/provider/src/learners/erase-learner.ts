import { Database, sql } from '@registrar/persistence';
import { HttpCode, Param, Post } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { type AuthenticatedApplication, ownedBy } from '../access-rules.ts';
import { ApiController } from '../http/api-controller.ts';
import { CurrentApplication } from '../http/api-access.guard.ts';
import { QueryParameters } from '../http/query-parameters.ts';
import { SchemaPipe } from '../http/schema.pipe.ts';
import { learnerNotFound } from './learner-act.ts';

/** SCORM Cloud requires the address of the one who asks; here the audit log names the application. */
const eraseQuery = z.strictObject({ userEmail: z.string().max(255).optional() });

/**
 * Begins the erasure of a learner, which `EraseInSteps` completes: as at SCORM Cloud, it has not ended yet. The tags of
 * the learner are deleted at once: a later learner with the same id may get others meanwhile.
 */
@ApiController('learner/:learnerId/delete-information')
export class EraseLearner {
  constructor(private readonly database: Database) {}

  /** @throws {NotFoundException} if the application has no registration of the learner, and is not erasing it */
  @Post()
  @HttpCode(204)
  async erase(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('learnerId') learnerId: string,
    @QueryParameters(new SchemaPipe(eraseQuery)) _: unknown,
  ): Promise<void> {
    const begun = await this.database.execute(
      sql`WITH untagged AS (
            DELETE FROM tagged_learners AS t
            WHERE ${ownedBy(application, 't')} AND t.learner_id = ${learnerId}
          )
          INSERT INTO learner_erasures (application_id, learner_id, erased_id, last_registration)
          SELECT ${application.id}, ${learnerId}, ${`erased-${randomUUID()}`},
                 (SELECT max(id) FROM registrations)
          WHERE EXISTS (SELECT FROM registrations AS r
                        WHERE ${ownedBy(application, 'r')} AND r.learner_id = ${learnerId})
          ON CONFLICT (application_id, learner_id)
            DO UPDATE SET last_registration = excluded.last_registration`,
    );
    if (begun > 0) return;
    const pending = await this.database.execute(
      sql`SELECT FROM learner_erasures AS e
          WHERE ${ownedBy(application, 'e')} AND e.learner_id = ${learnerId}`,
    );
    if (pending === 0) throw learnerNotFound(learnerId);
  }
}
