import { Failure } from '#libs/contracts';
import { type CourseProvider, type ImportJob } from '#libs/course-provider';
import { remainingTime } from '#libs/platform';
import { Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { PackageUploads, type UploadName } from '../packages/package-uploads.ts';
import { failureOfCreate } from './provider-refusal.ts';

/** How long to wait before an import job is asked for again: at first and at most, milliseconds. */
const firstPause = 50;
const longestPause = 2_000;

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
  async run(
    provider: CourseProvider,
    upload: UploadName,
    course: { courseGuid: string; mayCreateNewVersion: boolean },
  ): Promise<number> {
    const coursePackage = await this.uploads.open(upload);
    const { courseGuid, mayCreateNewVersion } = course;
    try {
      const jobId = await provider.importCourse(courseGuid, coursePackage, { mayCreateNewVersion });
      const { status, message } = await endOf(provider, jobId);
      if (status === 'error') {
        throw new Failure('invalid', `the course provider refuses the package: ${message}`);
      }
      return coursePackage.length;
    } catch (error) {
      const failure = failureOfCreate(error);
      if (failure.code === 'invalid') await this.uploads.drop(upload);
      throw failure;
    }
  }
}

async function endOf(provider: CourseProvider, jobId: string): Promise<ImportJob> {
  for (let delay = firstPause; ; delay = Math.min(delay * 2, longestPause)) {
    const job = await provider.importJob(jobId);
    if (job.status !== 'running') return job;
    if (remainingTime() <= delay) {
      throw new Failure('expired', 'the course provider is still at work on the package');
    }
    await pause(delay);
  }
}
