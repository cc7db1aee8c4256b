import { Database, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import type { AuthenticatedApplication } from '../access-rules.ts';
import { type Media, type MediaPackage, readMediaFile } from '../packages/media-file.ts';
import { ImportError } from '../packages/package-error.ts';
import { PackageReader } from '../packages/package-reader.ts';
import type { StorableManifest } from '../packages/reader-messages.ts';
import { StorePackage } from '../packages/store-package.ts';
import { ImportJobs } from './import-jobs.ts';
import type { UploadedFile } from './upload-space.ts';

/** An uploaded package that is to become a course, or a new version of one. */
export interface Upload {
  readonly application: AuthenticatedApplication;
  readonly jobId: string;
  readonly courseId: string;
  readonly mayCreateNewVersion: boolean;
  readonly file: UploadedFile;
  /** Null if the file is a package. */
  readonly media: Media | null;
}

const idRow = z.object({ id: z.number() });

/** Imports an uploaded package, or media file. */
@Injectable()
export class ImportCourse {
  constructor(
    private readonly database: Database,
    private readonly storePackage: StorePackage,
    private readonly jobs: ImportJobs,
  ) {}

  /**
   * Imports in one transaction, so that a rejected package leaves no rows behind.
   *
   * @throws {ImportError} if the package is not acceptable, or the course exists and the upload
   * may not create a version
   */
  async import(upload: Upload): Promise<void> {
    const { file, media } = upload;
    if (media) return this.store(upload, await readMediaFile(file.descriptor, file.size, media));
    using reader = new PackageReader(file.descriptor, 'import');
    const manifest = await reader.readManifest();
    await this.store(upload, { manifest, batches: reader.batches() });
  }

  private async store(upload: Upload, { manifest, batches }: MediaPackage): Promise<void> {
    await this.database.transaction(async () => {
      const { id } = await this.database.one(
        idRow,
        sql`SELECT nextval(pg_get_serial_sequence('course_versions', 'id')) AS id`,
      );
      await this.storePackage.store(id, batches);
      await this.createVersion(upload, id, manifest);
      await this.jobs.finish(upload.jobId, 'COMPLETE', 'The package was imported.');
    });
  }

  /** Runs after the files are stored, because it locks the course's row until the commit. */
  private async createVersion(
    { application, courseId, mayCreateNewVersion, file: { size } }: Upload,
    id: number,
    { title, structure, warnings }: StorableManifest,
  ): Promise<void> {
    const course = await this.database.maybeOne(
      idRow,
      sql`INSERT INTO courses AS c (application_id, course_id, title)
          VALUES (${application.id}, ${courseId}, ${title})
          ON CONFLICT (application_id, course_id) DO UPDATE
            SET title = excluded.title, updated_at = clock_timestamp()
            WHERE ${mayCreateNewVersion}
          RETURNING c.id`,
    );
    if (!course) throw new ImportError(courseExistsMessage(courseId));
    // The lock on the course's row prevents that a concurrent import takes the same number.
    await this.database.execute(
      sql`INSERT INTO course_versions (id, course, version, title, size, structure, warnings)
          SELECT ${id}, ${course.id}, coalesce(max(version) + 1, 0), ${title}, ${size}, ${structure},
                 ${warnings}
          FROM course_versions WHERE course = ${course.id}`,
    );
  }
}

export const courseExistsMessage = (courseId: string) =>
  `Course [${courseId}] already exists, and mayCreateNewVersion is false.`;
