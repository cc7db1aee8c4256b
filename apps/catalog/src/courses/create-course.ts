import { type InputOf, Outcomes } from '#libs/bus';
import {
  type AccessScope,
  type CourseRecord,
  type createCourse,
  Failure,
  type ProviderCourse,
} from '#libs/contracts';
import { type CourseProvider, CourseProviderDirectory } from '#libs/course-provider';
import { Database } from '#libs/persistence';
import { currentOperation, derivedId } from '#libs/platform';
import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { PackageUploads, type UploadName } from '../packages/package-uploads.ts';
import { courseColumns, courseRecord, type CourseRow } from './course-record.ts';
import { applicationForCreate } from './create-reach.ts';
import { ImportPackage } from './import-package.ts';
import { KeepCourses } from './keep-courses.ts';
import { PendingCreates } from './pending-creates.ts';
import { failureOfCreate } from './provider-refusal.ts';
import { TellTitle } from './tell-title.ts';

type Input = InputOf<typeof createCourse>;

/**
 * Course create (decision 21). A package for a course that exists becomes a new version of it, so
 * that a create may be repeated when its answer was lost; registering a course again refreshes it.
 * A title and custom text that are given replace those that are stored; without them they stay.
 */
@Injectable()
export class CreateCourse {
  constructor(
    private readonly database: Database,
    private readonly providers: CourseProviderDirectory,
    private readonly importPackage: ImportPackage,
    private readonly uploads: PackageUploads,
    private readonly keepCourses: KeepCourses,
    private readonly pendingCreates: PendingCreates,
    private readonly tellTitle: TellTitle,
    private readonly outcomes: Outcomes,
  ) {}

  /**
   * When the import outlasts the request, the crawl that finds the course gives it what was wanted.
   *
   * @throws {Failure} `invalid` when the provider refuses the package, with its reason; `not-found`
   * when the provider does not hold the course, when there is no such upload, or when the request
   * leaves open which provider application is meant; `unauthenticated`; `unavailable`; `expired`
   */
  async run(input: Input): Promise<CourseRecord> {
    const { scope, source, title, custom } = input;
    const applicationId = applicationForCreate(scope, input.applicationId);
    const provider = await this.providers.forApplication(applicationId);
    const courseGuid = source.courseGuid ?? newGuid();
    const size = await this.bring(provider, input, { applicationId, courseGuid });
    if (title !== null) await this.tellTitle.run(applicationId, courseGuid, title);
    const asked = { sequence: null, at: new Date().toISOString() };
    const held = await ask(provider, courseGuid);
    if (!held) throw missing(source);
    const course = { ...held, courseGuid, size: held.size || size };
    return this.outcomes.conclude(async () => {
      const given = { title, custom };
      await this.keepCourses.run({ applicationId, asked, courses: [course], given });
      if (source.kind === 'package') await this.uploads.drop(uploadOf(scope, source));
      return this.read(applicationId, courseGuid);
    });
  }

  /** @returns the size of the package in bytes; 0 for a course that the provider has already */
  private async bring(
    provider: CourseProvider,
    { scope, source, title, custom }: Input,
    { applicationId, courseGuid }: { applicationId: number; courseGuid: string },
  ): Promise<number> {
    if (source.kind === 'held-by-provider') return 0;
    const mayCreateNewVersion = source.courseGuid !== null;
    await this.pendingCreates.keep(applicationId, courseGuid, { title, custom });
    try {
      return await this.importPackage.run(provider, uploadOf(scope, source), {
        courseGuid,
        mayCreateNewVersion,
      });
    } catch (error) {
      if (isFinal(error)) await this.pendingCreates.drop(applicationId, courseGuid);
      throw error;
    }
  }

  private async read(applicationId: number, courseGuid: string): Promise<CourseRecord> {
    const [row] = await this.database.query<CourseRow>(
      `SELECT ${courseColumns} FROM courses AS c
       WHERE c.provider_application_id = $1 AND c.course_guid = $2`,
      [applicationId, courseGuid],
    );
    if (!row) throw new Error('a course that was kept is not there');
    return courseRecord(row);
  }
}

/** A repetition of the request must mean the same course. */
const newGuid = () => derivedId(currentOperation()?.idempotencyKey ?? randomUUID(), 'course');

const uploadOf = ({ realmId }: AccessScope, { uploadId }: { uploadId: string }): UploadName => ({
  realmId,
  uploadId,
});

/** Whether nothing of the package will ever be seen at the provider. */
const isFinal = (error: unknown): boolean =>
  error instanceof Failure && (error.code === 'invalid' || error.code === 'not-found');

async function ask(provider: CourseProvider, courseGuid: string): Promise<ProviderCourse | null> {
  return provider.getCourse(courseGuid).catch((error: unknown) => {
    throw failureOfCreate(error);
  });
}

const missing = ({ kind }: Input['source']): Failure =>
  kind === 'package'
    ? new Failure('unavailable', 'the course provider does not hold what it has imported')
    : new Failure('not-found', 'the course provider holds no such course');
