import { Database, raw, type Sql, sql } from '@registrar/persistence';
import { Injectable, NotFoundException } from '@nestjs/common';
import * as z from 'zod';
import { type AuthenticatedApplication, ownedBy } from '../access-rules.ts';
import type { CourseStructure } from '../packages/course-structure.ts';
import { instanceNotFound } from './instance.pipe.ts';
import type { RegistrationDetails } from './registration-details.ts';
import { type RegistrationRecord, toRegistrationRecord } from './registration-record.ts';
import {
  type RegistrationRow,
  registrationRow,
  scoStateRow,
  selectFormerInstances,
  selectRegistrations,
} from './registration-row.ts';

const structureRow = z.object({ id: z.number(), structure: z.custom<CourseStructure>() });
const stateRow = scoStateRow.extend({ registration: z.number(), instance: z.number() });

/** The tables `s` with the states of items, and the columns with their instances. */
const stateTables = {
  current: { from: raw('sco_states'), instance: raw('r.instance') },
  former: { from: raw('former_sco_states'), instance: raw('s.instance') },
};

/** Reads registrations of an application. */
@Injectable()
export class LoadRegistration {
  constructor(private readonly database: Database) {}

  /**
   * @param instance null for the current one
   * @throws {NotFoundException} if the application has no such registration, or the registration no such instance
   */
  async load(
    application: AuthenticatedApplication,
    registrationId: string,
    instance: number | null,
    details: RegistrationDetails,
  ): Promise<RegistrationRecord> {
    const row = await this.loadRow(application, registrationId, instance);
    const [record] = await this.toRecords(application, [row], details);
    if (!record) throw registrationNotFound(registrationId);
    return record;
  }

  /** Returns all instances of a registration, newest first. @throws {NotFoundException} */
  async loadInstances(
    application: AuthenticatedApplication,
    registrationId: string,
    details: RegistrationDetails,
  ): Promise<RegistrationRecord[]> {
    const row = await this.loadRow(application, registrationId, null);
    const former = await this.formerRows(application, row, sql`true`);
    const records = [[row], former].map((rows) => this.toRecords(application, rows, details));
    return (await Promise.all(records)).flat();
  }

  /**
   * @param instance null for the current one
   * @throws {NotFoundException} if the application has no such registration, or the registration no such instance
   */
  async loadRow(
    application: AuthenticatedApplication,
    registrationId: string,
    instance: number | null,
  ): Promise<RegistrationRow> {
    const row = await this.database.maybeOne(
      registrationRow,
      sql`${selectRegistrations}
          WHERE ${ownedBy(application, 'r')} AND r.registration_id = ${registrationId}`,
    );
    if (!row) throw registrationNotFound(registrationId);
    if (instance === null || instance === row.instance) return row;
    const [former] = await this.formerRows(application, row, sql`f.instance = ${instance}`);
    if (!former) throw instanceNotFound(instance);
    return former;
  }

  /** Reads former instances of a registration, newest first. */
  private formerRows(
    application: AuthenticatedApplication,
    { id }: RegistrationRow,
    condition: Sql,
  ): Promise<RegistrationRow[]> {
    return this.database.many(
      registrationRow,
      sql`${selectFormerInstances}
          WHERE ${ownedBy(application, 'r')} AND r.id = ${id} AND ${condition}
          ORDER BY f.instance DESC`,
    );
  }

  /**
   * Makes API records of registrations. Reads courses and states once for all of them.
   *
   * @param rows of current instances, or of former ones
   */
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
    const { from, instance } =
      stateTables[rows.some((row) => row.is_former) ? 'former' : 'current'];
    const states = await this.database.many(
      stateRow,
      sql`SELECT s.registration, s.activity_id, s.attempts, s.suspended, s.completion, s.success,
                 s.score, s.progress, s.seconds, s.opened_at,
                 ${raw(details.includeRuntime ? 's.runtime' : 'NULL AS runtime')},
                 ${instance} AS instance
          FROM ${from} AS s JOIN registrations AS r ON r.id = s.registration
          WHERE ${ownedBy(application, 'r')} AND r.id = ANY(${rows.map(({ id }) => id)})
            AND ${instance} = ANY(${rows.map(({ instance }) => instance)})`,
    );
    const statesOf = Map.groupBy(states, (each) => keyOf(each.registration, each.instance));
    return rows.flatMap((row) => {
      const structure = structureOf.get(row.course_version);
      // Absent if the course was deleted after the registrations were read.
      if (!structure) return [];
      return toRegistrationRecord(
        row,
        structure,
        statesOf.get(keyOf(row.id, row.instance)) ?? [],
        details,
      );
    });
  }
}

const keyOf = (registration: number, instance: number) => `${registration}/${instance}`;

export const registrationNotFound = (registrationId: string) =>
  new NotFoundException(`Could not find registration [${registrationId}]`);
