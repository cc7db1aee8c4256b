import { Database, sql, type Sql } from '@registrar/persistence';
import { Injectable, type NotFoundException } from '@nestjs/common';
import * as z from 'zod';
import { type AuthenticatedApplication, ownedBy } from '../access-rules.ts';
import { courseOrVersionNotFound } from '../courses/find-course.ts';
import { hasInstance, instanceNotFound } from '../registrations/instance.pipe.ts';
import { registrationNotFound } from '../registrations/load-registration.ts';
import { joinConfigurations } from './effective-configuration.ts';
import { SealConfiguration } from './seal-configuration.ts';
import type { Layer } from './setting-list.ts';
import { type Configuration, configuration, type SettingId } from './settings.ts';

/** Whose settings are read or changed. */
export type Level =
  | { readonly of: 'application' }
  | { readonly of: 'course'; readonly courseId: string; readonly version: number | null }
  | {
      readonly of: 'registration';
      readonly registrationId: string;
      /** The instance that a request names, whose settings are those of the registration. */
      readonly instance: number | null;
    };

const layersRow = z.object({
  application: configuration,
  course: configuration.nullable(),
  version: configuration.nullable(),
  registration: configuration.nullable(),
});

/** Reads and changes settings of applications, courses, course versions and registrations. */
@Injectable()
export class Configurations {
  constructor(
    private readonly database: Database,
    private readonly sealing: SealConfiguration,
  ) {}

  /**
   * Returns the configurations that hold at a level, its own at the end.
   *
   * @throws {NotFoundException} if the application has no such course, version or registration
   */
  async read(application: AuthenticatedApplication, level: Level): Promise<Layer[]> {
    const row = await this.database.maybeOne(layersRow, selectLayers(application, level));
    if (!row) throw notFound(level);
    return [
      { source: 'application', configuration: row.application },
      ...(row.course ? [{ source: 'course', configuration: row.course } as const] : []),
      ...(row.version ? [{ source: 'course', configuration: row.version } as const] : []),
      ...(row.registration
        ? [{ source: 'registration', configuration: row.registration } as const]
        : []),
    ];
  }

  /**
   * @throws {NotFoundException}
   * @throws {BadRequestException} if the operator does not allow the origin of postbacks
   */
  async change(
    application: AuthenticatedApplication,
    level: Level,
    values: Configuration,
  ): Promise<void> {
    const sealed = this.sealing.seal(application, values);
    const changed = await this.database.execute(mergeInto(application, level, sealed));
    if (changed === 0) throw notFound(level);
  }

  /** Lets a setting have the value of the level above. @throws {NotFoundException} */
  async remove(application: AuthenticatedApplication, level: Level, id: SettingId): Promise<void> {
    const changed = await this.database.execute(removeFrom(application, level, id));
    if (changed === 0) await this.read(application, level);
  }
}

function selectLayers(application: AuthenticatedApplication, level: Level): Sql {
  const none = sql`NULL::jsonb`;
  switch (level.of) {
    case 'application':
      return sql`SELECT a.configuration AS application, ${none} AS course, ${none} AS version,
                        ${none} AS registration
                 FROM applications AS a WHERE a.id = ${application.id}`;
    case 'course':
      return sql`SELECT a.configuration AS application, c.configuration AS course,
                        ${level.version === null ? none : sql`v.configuration`} AS version,
                        ${none} AS registration
                 FROM courses AS c JOIN applications AS a ON a.id = c.application_id
                 JOIN course_versions AS v ON v.course = c.id
                 WHERE ${ownedBy(application, 'c')} AND c.course_id = ${level.courseId}
                   AND ${level.version === null ? sql`true` : sql`v.version = ${level.version}`}
                 LIMIT 1`;
    case 'registration':
      return sql`SELECT a.configuration AS application, c.configuration AS course,
                        v.configuration AS version,
                        coalesce(rc.configuration, '{}') AS registration
                 FROM registrations AS r ${joinConfigurations}
                 WHERE ${isRegistrationOf(application, level)}`;
  }
}

function mergeInto(
  application: AuthenticatedApplication,
  level: Level,
  values: Configuration,
): Sql {
  if (level.of !== 'registration') return update(application, level, sql`|| ${values}::jsonb`);
  return sql`INSERT INTO registration_configurations AS t (registration, configuration)
             SELECT r.id, ${values}::jsonb FROM registrations AS r
             WHERE ${isRegistrationOf(application, level)}
             ON CONFLICT (registration) DO UPDATE
               SET configuration = t.configuration || excluded.configuration`;
}

function removeFrom(application: AuthenticatedApplication, level: Level, id: SettingId): Sql {
  if (level.of !== 'registration') return update(application, level, sql`- ${id}::text`);
  return sql`UPDATE registration_configurations AS t SET configuration = configuration - ${id}::text
             FROM registrations AS r
             WHERE ${isRegistrationOf(application, level)}
               AND t.registration = r.id`;
}

/** Condition: the row of `registrations AS r` is the one that a level names, and has its instance. */
const isRegistrationOf = (
  application: AuthenticatedApplication,
  { registrationId, instance }: Extract<Level, { readonly of: 'registration' }>,
): Sql =>
  sql`${ownedBy(application, 'r')} AND r.registration_id = ${registrationId}
      AND ${instance === null ? sql`true` : hasInstance(instance)}`;

/** @param change an operator and its operand, which change a configuration */
function update(
  application: AuthenticatedApplication,
  level: Exclude<Level, { readonly of: 'registration' }>,
  change: Sql,
): Sql {
  if (level.of === 'application') {
    return sql`UPDATE applications AS a SET configuration = a.configuration ${change}
               WHERE a.id = ${application.id}`;
  }
  if (level.version === null) {
    return sql`UPDATE courses AS c SET configuration = c.configuration ${change}
               WHERE ${ownedBy(application, 'c')} AND c.course_id = ${level.courseId}`;
  }
  return sql`UPDATE course_versions AS v SET configuration = v.configuration ${change}
             FROM courses AS c
             WHERE ${ownedBy(application, 'c')} AND c.course_id = ${level.courseId}
               AND v.course = c.id AND v.version = ${level.version}`;
}

function notFound(level: Level): NotFoundException | Error {
  switch (level.of) {
    case 'application':
      return new Error('the application was deleted while it sent a request');
    case 'course':
      return courseOrVersionNotFound(level.courseId, level.version);
    case 'registration':
      return level.instance === null
        ? registrationNotFound(level.registrationId)
        : instanceNotFound(level.instance);
  }
}
