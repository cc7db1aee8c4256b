import { Failure } from '#libs/contracts';
import { type CourseProvider } from '#libs/course-provider';
import { remainingTime } from '#libs/platform';
import { Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { PackageUploads, type Upload, type UploadName } from '../packages/package-uploads.ts';
import { failureOfCreate } from './provider-refusal.ts';

/** How long to wait before an import job is asked for again: at first and at most, milliseconds. */
const firstPause = 50;
const longestPause = 2_000;

/** The version of a course that is not there. */
const noVersion = -1;

interface WantedCourse {
  readonly courseGuid: string;
  readonly mayCreateNewVersion: boolean;
}

/** Brings an uploaded package to a provider. */
@Injectable()
export class ImportPackage {
  constructor(private readonly uploads: PackageUploads) {}

  /**
   * Ends when the provider has imported the package. An import that the request does not live to
   * see ends without it: a crawl then finds the course. The upload stays, but for a package that
   * was refused.
   *
   * @returns the size of the package in bytes
   * @throws {Failure} `not-found` when there is no such upload; `invalid` when the provider refuses
   * the package, with its reason; `unavailable`; `expired` at the deadline
   */
  async run(provider: CourseProvider, upload: UploadName, course: WantedCourse): Promise<number> {
    const coursePackage = await this.uploads.open(upload);
    try {
      const jobId = await this.begin(provider, upload, coursePackage, course);
      if (jobId !== null) await end(provider, jobId);
      return coursePackage.length;
    } catch (error) {
      const failure = failureOfCreate(error);
      if (failure.code === 'invalid') {
        // It may be refused because the attempt before has come to its end meanwhile.
        if (await isThere(provider, course, coursePackage)) return coursePackage.length;
        await this.uploads.drop(upload);
      }
      throw failure;
    }
  }

  /**
   * Begins the import, unless an attempt before has begun it: its answer may have been lost, so the
   * provider is asked before it is begun again.
   *
   * @returns the provider's job; null when the course is there already
   */
  private async begin(
    provider: CourseProvider,
    upload: UploadName,
    coursePackage: Upload,
    course: WantedCourse,
  ): Promise<string | null> {
    if (coursePackage.importJob !== null) return coursePackage.importJob;
    if (await isThere(provider, course, coursePackage)) return null;
    const { courseGuid, mayCreateNewVersion } = course;
    if (coursePackage.importedOver === null) {
      const version = mayCreateNewVersion ? await versionOf(provider, courseGuid) : noVersion;
      await this.uploads.beginImport(upload, version);
    }
    const jobId = await provider.importCourse(courseGuid, coursePackage, { mayCreateNewVersion });
    await this.uploads.noteImport(upload, jobId);
    return jobId;
  }
}

/** Whether an attempt before has brought the course, or its new version, to the provider. */
const isThere = async (
  provider: CourseProvider,
  { courseGuid }: WantedCourse,
  { importedOver }: Upload,
): Promise<boolean> =>
  importedOver !== null && (await versionOf(provider, courseGuid)) > importedOver;

const versionOf = async (provider: CourseProvider, courseGuid: string): Promise<number> =>
  (await provider.getCourse(courseGuid))?.version ?? noVersion;

/** Resolves when the job has ended well. */
async function end(provider: CourseProvider, jobId: string): Promise<void> {
  for (let delay = firstPause; ; delay = Math.min(delay * 2, longestPause)) {
    const { status, message } = await provider.importJob(jobId);
    if (status === 'error') {
      throw new Failure('invalid', `the course provider refuses the package: ${message}`);
    }
    if (status !== 'running') return;
    if (remainingTime() <= delay) {
      throw new Failure('expired', 'the course provider is still at work on the package');
    }
    await pause(delay);
  }
}
