import { Database, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import { isOpenLaunch } from '../access-rules.ts';
import { type StoredFile, storedFile } from '../packages/read-package-file.ts';

/** Finds files of the course version that is open in a window. */
@Injectable()
export class FindContent {
  constructor(private readonly database: Database) {}

  /** @param path the exact path in the package; no other path, such as one with `..`, matches */
  async find(token: string, path: string): Promise<StoredFile | null> {
    // PostgreSQL rejects NUL in text.
    if (path.includes('\0')) return null;
    return this.database.maybeOne(
      storedFile,
      sql`SELECT f.id, f.size
          FROM launches AS l
          JOIN registrations AS r ON r.id = l.registration
          JOIN package_files AS f ON f.course_version = r.course_version
          WHERE ${isOpenLaunch(token)} AND f.path = ${path}`,
    );
  }
}
