import { Database, raw, sql } from '@registrar/persistence';
import { Injectable, NotFoundException } from '@nestjs/common';
import * as z from 'zod';
import { type AuthenticatedApplication, ownedBy } from '../access-rules.ts';
import type { CourseStructure } from '../packages/course-structure.ts';
import type { RegistrationDetails } from './registration-details.ts';
import { type RegistrationRecord, toRegistrationRecord } from './registration-record.ts';
import {
  type RegistrationRow,
  registrationRow,
  scoStateRow,
  selectRegistrations,
} from './registration-row.ts';

const structureRow = z.object({ id: z.number(), structure: z.custom<CourseStructure>() });
const stateRow = scoStateRow.extend({ registration: z.number() });

/** Reads registrations of an application. */
@Injectable()
export class LoadRegistration {
  constructor(private readonly database: Database) {}

  /** @throws {NotFoundException} if the application has no such registration */
  async load(
    application: AuthenticatedApplication,
    registrationId: string,
    details: RegistrationDetails,
  ): Promise<RegistrationRecord> {
    const row = await this.loadRow(application, registrationId);
    const [record] = await this.toRecords(application, [row], details);
    if (!record) throw registrationNotFound(registrationId);
    return record;
  }

  /** @throws {NotFoundException} if the application has no such registration */
  async loadRow(
    application: AuthenticatedApplication,
    registrationId: string,
  ): Promise<RegistrationRow> {
    const row = await this.database.maybeOne(
      registrationRow,
      sql`${selectRegistrations}
          WHERE ${ownedBy(application, 'r')} AND r.registration_id = ${registrationId}`,
    );
    if (!row) throw registrationNotFound(registrationId);
    return row;
  }

  /** Makes API records of registrations. Reads courses and states once for all of them. */
  async toRecords(
    application: AuthenticatedApplication,
    rows: readonly RegistrationRow[],
    details: RegistrationDetails,
  ): Promise<RegistrationRecord[]> {
    const versions = [...new Set(rows.map((row) => row.course_version))];
    const structures = await this.database.many(
      structureRow,
      sql`SELECT v.id, v.structure
          FROM course_versions AS v JOIN courses AS c ON c.id = v.course
          WHERE ${ownedBy(application, 'c')} AND v.id = ANY(${versions})`,
    );
    const structureOf = new Map(structures.map(({ id, structure }) => [id, structure]));
    const states = await this.database.many(
      stateRow,
      sql`SELECT s.registration, s.activity_id, s.attempts, s.suspended, s.completion, s.success,
                 s.score, s.progress, s.seconds, s.opened_at,
                 ${raw(details.includeRuntime ? 's.runtime' : 'NULL AS runtime')}
          FROM sco_states AS s JOIN registrations AS r ON r.id = s.registration
          WHERE ${ownedBy(application, 'r')} AND r.id = ANY(${rows.map(({ id }) => id)})`,
    );
    const statesOf = Map.groupBy(states, ({ registration }) => registration);
    return rows.flatMap((row) => {
      const structure = structureOf.get(row.course_version);
      // Absent if the course was deleted after the registrations were read.
      if (!structure) return [];
      return toRegistrationRecord(row, structure, statesOf.get(row.id) ?? [], details);
    });
  }
}

export const registrationNotFound = (registrationId: string) =>
  new NotFoundException(`Could not find registration [${registrationId}]`);
