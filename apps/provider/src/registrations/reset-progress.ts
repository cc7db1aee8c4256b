import { Database, sql } from '@registrar/persistence';
import { Delete, HttpCode, Param } from '@nestjs/common';
import * as z from 'zod';
import { type AuthenticatedApplication, ownedBy } from '../access-rules.ts';
import { ApiController } from '../http/api-controller.ts';
import { CurrentApplication } from '../http/api-access.guard.ts';
import { endWindows } from '../launches/end-windows.ts';
import { PendingPostbacks } from '../postbacks/pending-postbacks.ts';
import { keepVersions } from './keep-versions.ts';
import { registrationNotFound } from './load-registration.ts';

const idRow = z.object({ id: z.number() });

/**
 * Deletes the results of a registration, of its current instance, and ends its open course windows. From then on it is of
 * the newest version of the course.
 */
@ApiController('registrations/:id/progress')
export class ResetProgress {
  constructor(
    private readonly database: Database,
    private readonly postbacks: PendingPostbacks,
  ) {}

  @Delete()
  @HttpCode(204)
  async reset(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('id') registrationId: string,
  ): Promise<void> {
    await this.database.transaction(async () => {
      await this.database.execute(keepVersions(application, registrationId));
      const registration = await this.database.maybeOne(
        idRow,
        sql`UPDATE registrations AS r SET
              completion = DEFAULT, success = DEFAULT, score = NULL, progress = NULL,
              total_seconds = DEFAULT, global_objectives = DEFAULT, shared_data = DEFAULT,
              course_version = (SELECT v.id FROM course_versions AS v WHERE v.course = r.course
                                ORDER BY v.version DESC LIMIT 1),
              content_key = gen_random_uuid(), sequencing = NULL, first_access_at = NULL,
              last_access_at = NULL, completed_at = NULL, updated_at = clock_timestamp()
            WHERE ${ownedBy(application, 'r')} AND r.registration_id = ${registrationId}
            RETURNING r.id`,
      );
      if (!registration) throw registrationNotFound(registrationId);
      await this.database.execute(
        sql`DELETE FROM sco_states USING registrations AS r
            WHERE registration = r.id AND r.id = ${registration.id} AND ${ownedBy(application, 'r')}`,
      );
      await this.database.execute(endWindows(application, registration.id));
      await this.postbacks.addNow(registration.id);
    });
  }
}
