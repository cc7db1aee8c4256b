import { Database, empty, sql } from '@registrar/persistence';
import { Injectable, NotFoundException } from '@nestjs/common';
import * as z from 'zod';
import { type AuthenticatedApplication, ownedBy } from '../access-rules.ts';
import { courseOrVersionNotFound } from '../courses/find-course.ts';
import { storedFile } from '../packages/read-package-file.ts';

const packageRow = z.object({ id: z.number(), version: z.number(), created_at: z.date() });
/** The stored package of a course version. */
export type StoredPackage = z.output<typeof packageRow>;

const fileRow = storedFile.extend({ path: z.string() });
export type PackageFile = z.output<typeof fileRow>;

/** Finds packages of an application, and their files. */
@Injectable()
export class FindPackage {
  constructor(private readonly database: Database) {}

  /**
   * @param version null for the newest one
   * @throws {NotFoundException} if the application has no such course or version
   */
  async find(
    application: AuthenticatedApplication,
    courseId: string,
    version: number | null,
  ): Promise<StoredPackage> {
    const found = await this.database.maybeOne(
      packageRow,
      sql`SELECT v.id, v.version, v.created_at
          FROM courses AS c JOIN course_versions AS v ON v.course = c.id
          WHERE ${ownedBy(application, 'c')} AND c.course_id = ${courseId}
            ${version === null ? empty : sql`AND v.version = ${version}`}
          ORDER BY v.version DESC LIMIT 1`,
    );
    if (found) return found;
    throw courseOrVersionNotFound(courseId, version);
  }

  /** Returns the files by their paths: as many as a package may have (packages/package-limits.ts). */
  files({ id }: StoredPackage): Promise<PackageFile[]> {
    return this.database.many(
      fileRow,
      sql`SELECT id, path, size FROM package_files
          WHERE course_version = ${id} AND encoding = 'identity' ORDER BY path`,
    );
  }

  /** @throws {NotFoundException} if the package has no such file */
  async file({ id }: StoredPackage, path: string): Promise<PackageFile> {
    const found = await this.database.maybeOne(
      fileRow,
      sql`SELECT id, path, size FROM package_files
          WHERE course_version = ${id} AND path = ${path} AND encoding = 'identity'`,
    );
    if (!found) throw new NotFoundException(`The course has no file ${path}`);
    return found;
  }
}
