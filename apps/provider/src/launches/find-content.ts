import { Failure } from '@registrar/contracts';
import { Database, type Sql, sql } from '@registrar/persistence';
import { FairQueue, type Owner } from '@registrar/platform';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import { type ContentAccess, isOpenContent, isOpenPreview } from '../access-rules.ts';
import type { ContentEncoding } from '../packages/content-encoding.ts';
import { storedFile, type StoredFile } from '../packages/read-package-file.ts';

const contentRow = storedFile.extend({
  encoding: z.custom<ContentEncoding>(),
  application: z.number(),
});

/** A file of a course. */
export interface ContentFile extends StoredFile {
  readonly encoding: ContentEncoding;
  /** For whom it is read: the application, and within it the registration or the preview. */
  readonly reader: Owner;
}

/**
 * How many files are looked up at a time, so that requests with other work find connections to the
 * database. Registrations and previews take turns. Their application is not known yet: all count as one realm.
 */
const lookupLimits = {
  running: 4,
  runningOfRealm: 4,
  waiting: Infinity,
  waitingOfRealm: Infinity,
  maxWaitMs: Infinity,
};
const unknownApplication = 0;

/** Finds files of the course version of a registration or a preview, while a launch is open. */
@Injectable()
export class FindContent {
  readonly #turns = new FairQueue(
    lookupLimits,
    () => new Failure('overloaded', 'Too many files are looked up. Try again later.'),
  );

  constructor(private readonly database: Database) {}

  /**
   * Finds a file by its path in the package. If no file has the exact path, one whose path differs in
   * case alone is found, because many packages are made where case does not matter. A path with `..`
   * matches none.
   *
   * @param accepted the content codings that the client accepts, the best one first
   */
  async find(
    access: ContentAccess,
    path: string,
    accepted: readonly ContentEncoding[],
  ): Promise<ContentFile | null> {
    // PostgreSQL rejects NUL in text.
    if (path.includes('\0')) return null;
    const holder = `${access.of} ${access.id}`;
    const row = await this.#turns.run(
      { realmId: unknownApplication, key: `${holder} ${access.key}` },
      async () =>
        (await this.findWhere(access, sql`f.path = ${path}`, accepted)) ??
        (await this.findWhere(access, sql`lower(f.path) = lower(${path})`, accepted)),
      false,
    );
    if (!row) return null;
    const { application, ...file } = row;
    return { ...file, reader: { realmId: application, key: holder } };
  }

  private findWhere(
    access: ContentAccess,
    condition: Sql,
    accepted: readonly ContentEncoding[],
  ): Promise<z.output<typeof contentRow> | null> {
    return this.database.maybeOne(
      contentRow,
      sql`SELECT f.id, f.size, f.encoding, opened.application FROM (${openedBy(access)}) AS opened
          JOIN package_files AS f ON f.course_version = opened.course_version
          WHERE ${condition} AND f.encoding = ANY(${accepted}::text[])
          ORDER BY f.path, array_position(${accepted}::text[], f.encoding) LIMIT 1`,
    );
  }
}

/** The course version that a request reaches, and its application. */
const openedBy = (access: ContentAccess): Sql =>
  access.of === 'registration'
    ? sql`SELECT r.course_version, r.application_id AS application FROM registrations AS r
          WHERE ${isOpenContent(access)}`
    : sql`SELECT l.course_version, c.application_id AS application FROM launches AS l
          JOIN course_versions AS v ON v.id = l.course_version JOIN courses AS c ON c.id = v.course
          WHERE ${isOpenPreview(access)}`;
