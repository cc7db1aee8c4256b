import { HandleEvent, type PayloadOf } from '@registrar/bus';
import { registrationsCounted } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';

/** Maintains the numbers of registrations of courses (contract/courses#registration-count). */
@Controller()
export class CopyRegistrationCounts {
  constructor(private readonly database: Database) {}

  /** Stores the counts of an event, except for those of which a newer one was stored before. */
  @HandleEvent(registrationsCounted)
  async copy({ applicationId, counts }: PayloadOf<typeof registrationsCounted>): Promise<void> {
    await this.database.execute(
      sql`INSERT INTO registration_counts AS n
            (provider_application_id, course_guid, registrations, version)
          SELECT ${applicationId}, c.*
          FROM unnest(
              ${counts.map(({ courseGuid }) => courseGuid)}::text[],
              ${counts.map(({ registrations }) => registrations)}::bigint[],
              ${counts.map(({ version }) => version)}::bigint[]
            ) AS c (course_guid, registrations, version)
          ORDER BY c.course_guid
          ON CONFLICT (provider_application_id, course_guid) DO UPDATE
          SET registrations = excluded.registrations, version = excluded.version
          WHERE n.version < excluded.version`,
    );
  }
}
