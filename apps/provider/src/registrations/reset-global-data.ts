import { Database, sql } from '@registrar/persistence';
import { Delete, HttpCode, Param } from '@nestjs/common';
import { type AuthenticatedApplication, ownedBy } from '../access-rules.ts';
import { ApiController } from '../http/api-controller.ts';
import { CurrentApplication } from '../http/api-access.guard.ts';
import { registrationNotFound } from './load-registration.ts';

/** Deletes what the activities of a registration's course share: the global objectives and the shared data. */
@ApiController('registrations/:id/globalData')
export class ResetGlobalData {
  constructor(private readonly database: Database) {}

  /** @throws {NotFoundException} if the application has no such registration */
  @Delete()
  @HttpCode(204)
  async reset(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('id') registrationId: string,
  ): Promise<void> {
    const changed = await this.database.execute(
      sql`UPDATE registrations AS r
          SET global_objectives = DEFAULT, shared_data = DEFAULT, updated_at = clock_timestamp()
          WHERE ${ownedBy(application, 'r')} AND r.registration_id = ${registrationId}`,
    );
    if (changed === 0) throw registrationNotFound(registrationId);
  }
}
