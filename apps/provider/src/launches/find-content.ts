import { Failure } from '@registrar/contracts';
import { Database, type Sql, sql } from '@registrar/persistence';
import { FairQueue } from '@registrar/platform';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import { type ContentAccess, isOpenContent } from '../access-rules.ts';
import type { ContentEncoding } from '../packages/content-encoding.ts';
import { storedFile } from '../packages/read-package-file.ts';

const contentFile = storedFile.extend({
  encoding: z.custom<ContentEncoding>(),
  registration: z.number(),
  application: z.number(),
});

/** A file of a course, with the registration and the application that it is read for. */
export type ContentFile = z.output<typeof contentFile>;

/**
 * How many files are looked up at a time, so that requests with other work find connections to the
 * database. Registrations take turns. The application of one is not known yet: all count as one realm.
 */
const lookupLimits = {
  running: 4,
  runningOfRealm: 4,
  waiting: Infinity,
  waitingOfRealm: Infinity,
  maxWaitMs: Infinity,
};
const unknownApplication = 0;

/** Finds files of the course version of a registration, while a launch is open. */
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
    return this.#turns.run(
      { realmId: unknownApplication, key: `${access.registration} ${access.key}` },
      async () =>
        (await this.findWhere(access, sql`f.path = ${path}`, accepted)) ??
        (await this.findWhere(access, sql`lower(f.path) = lower(${path})`, accepted)),
      false,
    );
  }

  private findWhere(
    access: ContentAccess,
    condition: Sql,
    accepted: readonly ContentEncoding[],
  ): Promise<ContentFile | null> {
    return this.database.maybeOne(
      contentFile,
      sql`SELECT f.id, f.size, f.encoding, r.id AS registration, r.application_id AS application
          FROM registrations AS r
          JOIN package_files AS f ON f.course_version = r.course_version
          WHERE ${isOpenContent(access)} AND ${condition} AND f.encoding = ANY(${accepted}::text[])
          ORDER BY f.path, array_position(${accepted}::text[], f.encoding) LIMIT 1`,
    );
  }
}
