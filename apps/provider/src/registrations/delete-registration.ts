import { Database, sql } from '@registrar/persistence';
import { Delete, HttpCode, Param } from '@nestjs/common';
import { type AuthenticatedApplication, ownedBy } from '../access-rules.ts';
import { ApiController } from '../http/api-controller.ts';
import { CurrentApplication } from '../http/api-access.guard.ts';
import { registrationNotFound } from './load-registration.ts';

/** Deletes a registration with its launches and results. */
@ApiController('registrations/:id')
export class DeleteRegistration {
  constructor(private readonly database: Database) {}

  @Delete()
  @HttpCode(204)
  async delete(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('id') registrationId: string,
  ): Promise<void> {
    const deleted = await this.database.execute(
      sql`DELETE FROM registrations AS r
          WHERE ${ownedBy(application, 'r')} AND r.registration_id = ${registrationId}`,
    );
    if (deleted === 0) throw registrationNotFound(registrationId);
  }
}
