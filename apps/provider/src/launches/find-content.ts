import { Failure } from '@registrar/contracts';
import { Database, type Sql, sql } from '@registrar/persistence';
import { FairQueue } from '@registrar/platform';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import { isOpenLaunch, type WindowAccess } from '../access-rules.ts';
import type { ContentEncoding } from '../packages/content-encoding.ts';
import { storedFile } from '../packages/read-package-file.ts';

const contentFile = storedFile.extend({
  encoding: z.custom<ContentEncoding>(),
  launch: z.number(),
  application: z.number(),
});

/** A file of a course, with the window and the application that it is read for. */
export type ContentFile = z.output<typeof contentFile>;

/**
 * How many files are looked up at a time, so that requests with other work find connections to the
 * database. Windows take turns. The application of a window is not known yet: all count as one realm.
 */
const lookupLimits = {
  running: 4,
  runningOfRealm: 4,
  waiting: Infinity,
  waitingOfRealm: Infinity,
  maxWaitMs: Infinity,
};
const unknownApplication = 0;

/** Finds files of the course version that is open in a window. */
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
    access: WindowAccess,
    path: string,
    accepted: readonly ContentEncoding[],
  ): Promise<ContentFile | null> {
    // PostgreSQL rejects NUL in text.
    if (path.includes('\0')) return null;
    return this.#turns.run(
      { realmId: unknownApplication, key: access.token },
      async () =>
        (await this.findWhere(access, sql`f.path = ${path}`, accepted)) ??
        (await this.findWhere(access, sql`lower(f.path) = lower(${path})`, accepted)),
      false,
    );
  }

  private findWhere(
    access: WindowAccess,
    condition: Sql,
    accepted: readonly ContentEncoding[],
  ): Promise<ContentFile | null> {
    return this.database.maybeOne(
      contentFile,
      sql`SELECT f.id, f.size, f.encoding, l.id AS launch, r.application_id AS application
          FROM launches AS l
          JOIN registrations AS r ON r.id = l.registration
          JOIN package_files AS f ON f.course_version = r.course_version
          WHERE ${isOpenLaunch(access)} AND ${condition} AND f.encoding = ANY(${accepted}::text[])
          ORDER BY f.path, array_position(${accepted}::text[], f.encoding) LIMIT 1`,
    );
  }
}
