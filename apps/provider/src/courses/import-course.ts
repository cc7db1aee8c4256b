import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import { stat } from 'node:fs/promises';
import type { Application } from '../applications/application.ts';
import type { CourseStructure } from '../packages/course-structure.ts';
import { openPackage } from '../packages/open-package.ts';
import { PackageError } from '../packages/package-error.ts';
import { packageLimits } from '../packages/package-limits.ts';
import { readManifest } from '../packages/read-manifest.ts';
import { StorePackage } from '../packages/store-package.ts';
import { ImportJobs } from './import-jobs.ts';

/** An upload that waits to become a course, or a new version of one. */
export interface Upload {
  readonly application: Application;
  readonly jobId: string;
  readonly courseId: string;
  readonly mayCreateNewVersion: boolean;
  /** Where the zip file lies on this machine. */
  readonly file: string;
}

/** Makes a course of an uploaded package. */
@Injectable()
export class ImportCourse {
  constructor(
    private readonly database: Database,
    private readonly storePackage: StorePackage,
    private readonly jobs: ImportJobs,
  ) {}

  /**
   * All of it in one transaction: a package that is refused on the way leaves nothing behind.
   *
   * @throws {PackageError} when the package or the course id is not acceptable
   */
  async run(upload: Upload): Promise<void> {
    const coursePackage = await openPackage(upload.file, packageLimits);
    try {
      const structure = await readManifest(coursePackage);
      const { size } = await stat(upload.file);
      await this.database.transaction(async () => {
        const id = await this.nextVersion();
        await this.storePackage.run(id, coursePackage);
        await this.createVersion(upload, { id, size, structure });
        await this.jobs.end(upload.jobId, 'COMPLETE', 'The package was imported.');
      });
    } finally {
      coursePackage.close();
    }
  }

  private async nextVersion(): Promise<number> {
    const [next] = await this.database.query<{ id: number }>(
      `SELECT nextval(pg_get_serial_sequence('course_versions', 'id'))::integer AS id`,
    );
    if (!next) throw new Error('SELECT nextval answered no row');
    return next.id;
  }

  /** Last of all: the course stays locked until the commit, and its times are those of the end. */
  private async createVersion(
    { application, courseId, mayCreateNewVersion }: Upload,
    { id, size, structure }: { id: number; size: number; structure: CourseStructure },
  ): Promise<void> {
    const { title } = structure.root;
    const [course] = await this.database.query<{ id: number }>(
      `INSERT INTO courses AS c (application_id, course_id, title) VALUES ($1, $2, $3)
       ON CONFLICT (application_id, course_id) DO UPDATE
         SET title = excluded.title, updated_at = clock_timestamp()
         WHERE $4
       RETURNING c.id`,
      [application.id, courseId, title, mayCreateNewVersion],
    );
    if (!course) throw new PackageError(courseExists(courseId));
    // The course's row is locked since the statement before: no other import takes the number.
    await this.database.query(
      `INSERT INTO course_versions (id, course, version, title, size, structure)
       SELECT $1, $2, coalesce(max(version) + 1, 0), $3, $4, $5
       FROM course_versions WHERE course = $2`,
      [id, course.id, title, size, structure],
    );
  }
}

export const courseExists = (courseId: string) =>
  `The course '${courseId}' exists, and mayCreateNewVersion is false.`;
