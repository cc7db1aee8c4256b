import { HandleRequest, IdempotencyStore, type InputOf, Outbox } from '@registrar/bus';
import {
  type AccessScope,
  auditActorOf,
  catalogAudited,
  type CourseRecord,
  createCourse,
  Failure,
} from '@registrar/contracts';
import { type CourseProvider, CourseProviderDirectory } from '@registrar/course-provider';
import { Database, sql } from '@registrar/persistence';
import { clock, currentRequestContext, derivedId, describeAct } from '@registrar/platform';
import { Controller } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { applicationForCreate } from '../access-rules.ts';
import { PackageUploads, type UploadKey } from '../packages/package-uploads.ts';
import { courseColumns, courseRow, toCourseRecord } from './course-record.ts';
import { throwCourseFailure } from './provider-failure.ts';
import { type ImportedPackage, ImportPackage } from './import-package.ts';
import { PendingCreates } from './pending-creates.ts';
import { ProviderTitle } from './provider-title.ts';
import { UpsertCourses } from './upsert-courses.ts';

type Input = InputOf<typeof createCourse>;

/**
 * Creates a course from an uploaded package, or registers one that the provider holds
 * (contract/courses#create). A package for an existing course becomes its next version, and
 * registering a course again refreshes it, so a create whose answer was lost can be repeated. A
 * title and custom text replace the stored values; null keeps them.
 */
@Controller()
export class CreateCourse {
  constructor(
    private readonly database: Database,
    private readonly providers: CourseProviderDirectory,
    private readonly importPackage: ImportPackage,
    private readonly uploads: PackageUploads,
    private readonly upsertCourses: UpsertCourses,
    private readonly pendingCreates: PendingCreates,
    private readonly providerTitle: ProviderTitle,
    private readonly idempotency: IdempotencyStore,
    private readonly outbox: Outbox,
  ) {}

  /**
   * When the import outlasts the request, the crawl that finds the course applies its title and
   * custom text.
   *
   * @throws {Failure} `invalid` when the provider refuses the package, with its reason; `not-found`
   * when the provider does not hold the course, when there is no such upload, or when the request
   * does not say which provider application it means; `unauthenticated`; `unavailable`; `expired`
   */
  @HandleRequest(createCourse)
  async create(input: Input): Promise<CourseRecord> {
    const { scope, source, title, custom } = input;
    const applicationId = applicationForCreate(scope, input.applicationId);
    const provider = await this.providers.forApplication(applicationId);
    const courseGuid = source.courseGuid ?? newGuid();
    const imported = await this.importUpload(provider, input, { applicationId, courseGuid });
    if (title !== null) await this.providerTitle.set(applicationId, courseGuid, title);
    const stamp = { sequence: null, at: clock.date().toISOString() };
    const held = await provider.getCourse(courseGuid).catch(throwCourseFailure);
    if (!held) throw notHeld(source);
    const course = {
      ...held,
      courseGuid,
      size: held.size || imported.size,
      warnings: held.warnings ?? imported.warnings,
    };
    return this.idempotency.commitReply(async () => {
      const overrides = { title, custom };
      await this.upsertCourses.upsert({ applicationId, stamp, courses: [course], overrides });
      if (source.kind === 'package') await this.uploads.delete(uploadKeyOf(scope, source));
      await this.outbox.publish(
        catalogAudited,
        describeAct({
          action: 'course.created',
          actor: auditActorOf(scope),
          realmId: scope.realmId,
          subject: {
            course_guid: courseGuid,
            application_id: applicationId,
            package: source.kind === 'package',
          },
        }),
      );
      return this.read(applicationId, courseGuid);
    });
  }

  /** Returns what the import shows of the package: nothing for a course that the provider holds. */
  private async importUpload(
    provider: CourseProvider,
    { scope, source, title, custom }: Input,
    { applicationId, courseGuid }: { applicationId: number; courseGuid: string },
  ): Promise<ImportedPackage> {
    if (source.kind === 'held-by-provider') return { size: 0, warnings: null };
    const mayCreateNewVersion = source.courseGuid !== null;
    await this.pendingCreates.save(applicationId, courseGuid, { title, custom });
    try {
      return await this.importPackage.import(provider, uploadKeyOf(scope, source), {
        courseGuid,
        mayCreateNewVersion,
      });
    } catch (error) {
      if (isRefusal(error)) await this.pendingCreates.delete(applicationId, courseGuid);
      throw error;
    }
  }

  private async read(applicationId: number, courseGuid: string): Promise<CourseRecord> {
    const row = await this.database.one(
      courseRow,
      sql`
        SELECT ${courseColumns} FROM courses AS c
        WHERE c.provider_application_id = ${applicationId} AND c.course_guid = ${courseGuid}`,
    );
    return toCourseRecord(row);
  }
}

/** A repetition of the request names the same course (contract/courses#create-generated-guid). */
const newGuid = () => derivedId(currentRequestContext()?.idempotencyKey ?? randomUUID(), 'course');

const uploadKeyOf = ({ realmId }: AccessScope, { uploadId }: { uploadId: string }): UploadKey => ({
  realmId,
  uploadId,
});

/** True if the provider will never hold the package, so no crawl will find the course. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Failure && (error.code === 'invalid' || error.code === 'not-found');

const notHeld = ({ kind }: Input['source']): Failure =>
  kind === 'package'
    ? new Failure(
        'unavailable',
        'the course provider does not return the course that it imported',
        undefined,
        { ofProvider: true },
      )
    : new Failure('not-found', 'the course provider holds no such course');
