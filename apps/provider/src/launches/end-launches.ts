import { Database, sql } from '@registrar/persistence';
import { Delete, HttpCode, Param } from '@nestjs/common';
import * as z from 'zod';
import { type AuthenticatedApplication, ownedBy } from '../access-rules.ts';
import { ApiController } from '../http/api-controller.ts';
import { CurrentApplication, ServesPaused } from '../http/api-access.guard.ts';
import { registrationNotFound } from '../registrations/load-registration.ts';
import { endWindows } from './end-windows.ts';

const idRow = z.object({ id: z.number() });

/** Ends all course windows of a registration, and the links that would open one. */
@ApiController('registrations/:id/launches')
export class EndLaunches {
  constructor(private readonly database: Database) {}

  /** @throws {NotFoundException} if the application has no such registration */
  @Delete()
  @HttpCode(204)
  @ServesPaused()
  async end(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('id') registrationId: string,
  ): Promise<void> {
    await this.database.transaction(async () => {
      const registration = await this.database.maybeOne(
        idRow,
        sql`UPDATE registrations AS r
            SET launch_generation = launch_generation + 1, updated_at = clock_timestamp()
            WHERE ${ownedBy(application, 'r')} AND r.registration_id = ${registrationId}
            RETURNING r.id`,
      );
      if (!registration) throw registrationNotFound(registrationId);
      await this.database.execute(endWindows(application, registration.id));
    });
  }
}
