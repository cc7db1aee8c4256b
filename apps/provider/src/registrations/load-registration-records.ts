import { Database, raw, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import { type AuthenticatedApplication, ownedBy } from '../access-rules.ts';
import type { CourseStructure } from '../packages/course-structure.ts';
import type { RegistrationDetails } from './registration-details.ts';
import { type RegistrationRecord, toRegistrationRecord } from './registration-record.ts';
import { type RegistrationRow, type ScoStateRow, scoStateRow } from './registration-row.ts';

const structureRow = z.object({ id: z.number(), structure: z.custom<CourseStructure>() });
const stateRow = scoStateRow.extend({ registration: z.number() });

/** Makes API records of registrations. Reads courses and states once for all of them. */
@Injectable()
export class LoadRegistrationRecords {
  constructor(private readonly database: Database) {}

  async load(
    application: AuthenticatedApplication,
    rows: readonly RegistrationRow[],
    details: RegistrationDetails,
  ): Promise<RegistrationRecord[]> {
    const versions = new Set(rows.map((row) => row.course_version));
    const structures = await this.loadStructures(application, versions);
    const ids = rows.map(({ id }) => id);
    const states = await this.loadStates(application, ids, details.runtime);
    return rows.flatMap((row) => {
      const structure = structures.get(row.course_version);
      // Absent if the course was deleted after the registrations were read.
      if (!structure) return [];
      return toRegistrationRecord(row, structure, states.get(row.id) ?? [], details);
    });
  }

  private async loadStructures(
    application: AuthenticatedApplication,
    versions: ReadonlySet<number>,
  ): Promise<Map<number, CourseStructure>> {
    const rows = await this.database.many(
      structureRow,
      sql`SELECT v.id, v.structure
          FROM course_versions AS v JOIN courses AS c ON c.id = v.course
          WHERE ${ownedBy(application, 'c')} AND v.id = ANY(${[...versions]})`,
    );
    return new Map(rows.map(({ id, structure }) => [id, structure]));
  }

  private async loadStates(
    application: AuthenticatedApplication,
    registrations: readonly number[],
    withRuntime: boolean,
  ): Promise<Map<number, ScoStateRow[]>> {
    const rows = await this.database.many(
      stateRow,
      sql`SELECT s.registration, s.activity_id, s.attempts, s.suspended, s.completion, s.success,
                 s.score, s.progress, s.seconds, s.opened_at,
                 ${raw(withRuntime ? 's.runtime' : 'NULL AS runtime')}
          FROM sco_states AS s JOIN registrations AS r ON r.id = s.registration
          WHERE ${ownedBy(application, 'r')} AND r.id = ANY(${registrations})`,
    );
    return Map.groupBy(rows, ({ registration }) => registration);
  }
}
