import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import type { CourseStructure } from '../packages/course-structure.ts';
import type { ActivityParts } from './activity-record.ts';
import { type RegistrationRecord, registrationRecord } from './registration-record.ts';
import type { RegistrationRow, ScoState } from './registration-row.ts';

/** Makes API records of registrations, whose courses and states it reads for all at once. */
@Injectable()
export class DescribeRegistrations {
  constructor(private readonly database: Database) {}

  async run(rows: readonly RegistrationRow[], parts: ActivityParts): Promise<RegistrationRecord[]> {
    const structures = await this.structures(new Set(rows.map((row) => row.course_version)));
    const states = await this.states(
      rows.map(({ id }) => id),
      parts.runtime,
    );
    return rows.flatMap((row) => {
      const structure = structures.get(row.course_version);
      // Without one, its course was deleted a moment ago.
      return structure ? registrationRecord(row, structure, states.get(row.id) ?? [], parts) : [];
    });
  }

  private async structures(versions: ReadonlySet<number>): Promise<Map<number, CourseStructure>> {
    const rows = await this.database.query<{ id: number; structure: CourseStructure }>(
      'SELECT id, structure FROM course_versions WHERE id = ANY($1)',
      [[...versions]],
    );
    return new Map(rows.map(({ id, structure }) => [id, structure]));
  }

  private async states(
    registrations: readonly number[],
    withRuntime: boolean,
  ): Promise<Map<number, ScoState[]>> {
    const rows = await this.database.query<ScoState & { registration: number }>(
      `SELECT registration, activity_id, attempts, suspended, completion, success, score, progress,
              seconds, opened_at, ${withRuntime ? 'runtime' : 'NULL AS runtime'}
       FROM sco_states WHERE registration = ANY($1)`,
      [registrations],
    );
    return Map.groupBy(rows, ({ registration }) => registration);
  }
}
