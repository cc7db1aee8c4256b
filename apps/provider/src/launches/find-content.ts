import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import type { StoredFile } from '../packages/read-file.ts';
import { hashToken } from './launch-session.ts';

/** Finds the files of a course that is open: those of its own version, and no others. */
@Injectable()
export class FindContent {
  constructor(private readonly database: Database) {}

  /**
   * @param path as the package names the file: what is not the name of a file in it, such as a
   * path that leads upwards, finds nothing
   */
  async run(token: string, path: string): Promise<StoredFile | null> {
    // PostgreSQL takes no NUL in text, and no file has one in its name.
    if (path.includes('\0')) return null;
    const [file] = await this.database.query<StoredFile>(
      `SELECT f.id, f.size
       FROM launches l
       JOIN registrations r ON r.id = l.registration
       JOIN package_files f ON f.course_version = r.course_version
       WHERE l.token_hash = $1 AND l.expires_at > now() AND f.path = $2`,
      [hashToken(token), path],
    );
    return file ?? null;
  }
}
