import { Database, type Sql, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import { isOpenLaunch, type WindowAccess } from '../access-rules.ts';
import { type StoredFile, storedFile } from '../packages/read-package-file.ts';

/** Finds files of the course version that is open in a window. */
@Injectable()
export class FindContent {
  constructor(private readonly database: Database) {}

  /**
   * Finds a file by its path in the package. If no file has the exact path, one whose path differs in
   * case alone is found, because many packages are made where case does not matter. A path with `..`
   * matches none.
   */
  async find(access: WindowAccess, path: string): Promise<StoredFile | null> {
    // PostgreSQL rejects NUL in text.
    if (path.includes('\0')) return null;
    return (
      (await this.findWhere(access, sql`f.path = ${path}`)) ??
      (await this.findWhere(access, sql`lower(f.path) = lower(${path})`))
    );
  }

  private findWhere(access: WindowAccess, condition: Sql): Promise<StoredFile | null> {
    return this.database.maybeOne(
      storedFile,
      sql`SELECT f.id, f.size
          FROM launches AS l
          JOIN registrations AS r ON r.id = l.registration
          JOIN package_files AS f ON f.course_version = r.course_version
          WHERE ${isOpenLaunch(access)} AND ${condition} ORDER BY f.path LIMIT 1`,
    );
  }
}
