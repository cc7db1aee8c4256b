import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import type { Application } from '../applications/application.ts';
import type { CourseStructure } from '../packages/course-structure.ts';
import type { ActivityParts } from './activity-record.ts';
import { type RegistrationRecord, registrationRecord } from './registration-record.ts';
import type { RegistrationRow, ScoState } from './registration-row.ts';

/** Makes API records of registrations, whose courses and states it reads for all at once. */
@Injectable()
export class DescribeRegistrations {
  constructor(private readonly database: Database) {}

  async run(
    application: Application,
    rows: readonly RegistrationRow[],
    parts: ActivityParts,
  ): Promise<RegistrationRecord[]> {
    const versions = new Set(rows.map((row) => row.course_version));
    const structures = await this.structures(application, versions);
    const ids = rows.map(({ id }) => id);
    const states = await this.states(application, ids, parts.runtime);
    return rows.flatMap((row) => {
      const structure = structures.get(row.course_version);
      // Without one, its course was deleted a moment ago.
      return structure ? registrationRecord(row, structure, states.get(row.id) ?? [], parts) : [];
    });
  }

  private async structures(
    application: Application,
    versions: ReadonlySet<number>,
  ): Promise<Map<number, CourseStructure>> {
    const rows = await this.database.query<{ id: number; structure: CourseStructure }>(
      `SELECT v.id, v.structure FROM course_versions v JOIN courses c ON c.id = v.course
       WHERE c.application_id = $1 AND v.id = ANY($2)`,
      [application.id, [...versions]],
    );
    return new Map(rows.map(({ id, structure }) => [id, structure]));
  }

  private async states(
    application: Application,
    registrations: readonly number[],
    withRuntime: boolean,
  ): Promise<Map<number, ScoState[]>> {
    const rows = await this.database.query<ScoState & { registration: number }>(
      `SELECT s.registration, s.activity_id, s.attempts, s.suspended, s.completion, s.success,
              s.score, s.progress, s.seconds, s.opened_at,
              ${withRuntime ? 's.runtime' : 'NULL AS runtime'}
       FROM sco_states s JOIN registrations r ON r.id = s.registration
       WHERE r.application_id = $1 AND r.id = ANY($2)`,
      [application.id, registrations],
    );
    return Map.groupBy(rows, ({ registration }) => registration);
  }
}
