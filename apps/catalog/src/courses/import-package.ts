import { Failure } from '@registrar/contracts';
import { type CourseProvider } from '@registrar/course-provider';
import { clock, exponentialDelay, remainingTimeMs } from '@registrar/platform';
import { Injectable } from '@nestjs/common';
import { PackageUploads, type Upload, type UploadKey } from '../packages/package-uploads.ts';
import { toCourseFailure } from './provider-failure.ts';

/** The pause between two polls of an import job. */
const pauseMsRange = { first: 50, longest: 2_000 };

/** Stands for the version of a course that does not exist. */
const noVersion = -1;

interface ImportTarget {
  readonly courseGuid: string;
  readonly mayCreateNewVersion: boolean;
}

/** What an import shows of a package. */
export interface ImportedPackage {
  /** In bytes. */
  readonly size: number;
  /** What the provider does not obey in it; null when the answer of its import was lost. */
  readonly warnings: string[] | null;
}

/** Imports an uploaded package into a provider. */
@Injectable()
export class ImportPackage {
  constructor(private readonly uploads: PackageUploads) {}

  /**
   * Waits until the provider has imported the package. An import that outlasts the request goes on; a crawl then finds the course. The upload is kept, unless the
   * provider refuses the package.
   *
   * @throws {Failure} `not-found` when there is no such upload; `invalid` when the provider refuses
   * the package, with its reason; `unavailable`; `expired` at the deadline
   */
  async import(
    provider: CourseProvider,
    upload: UploadKey,
    course: ImportTarget,
  ): Promise<ImportedPackage> {
    const coursePackage = await this.uploads.open(upload);
    const size = coursePackage.length;
    try {
      const jobId = await this.start(provider, upload, coursePackage, course);
      return { size, warnings: jobId === null ? null : await waitForJob(provider, jobId) };
    } catch (error) {
      const failure = toCourseFailure(error);
      if (failure.code === 'invalid') {
        // The provider may refuse it because an earlier attempt has completed meanwhile.
        if (await isImported(provider, course, coursePackage)) return { size, warnings: null };
        await this.uploads.delete(upload);
      }
      throw failure;
    }
  }

  /**
   * Starts the import unless an earlier attempt has started it. The answer of that attempt may have
   * been lost, so the provider is asked before the import starts again. Returns the provider's job;
   * null when the course is imported already.
   */
  private async start(
    provider: CourseProvider,
    upload: UploadKey,
    coursePackage: Upload,
    course: ImportTarget,
  ): Promise<string | null> {
    if (coursePackage.importJob !== null) return coursePackage.importJob;
    if (await isImported(provider, course, coursePackage)) return null;
    const { courseGuid, mayCreateNewVersion } = course;
    if (coursePackage.importedOver === null) {
      const version = mayCreateNewVersion ? await versionOf(provider, courseGuid) : noVersion;
      await this.uploads.saveImportStart(upload, version);
    }
    const jobId = await provider.importCourse(courseGuid, coursePackage, { mayCreateNewVersion });
    await this.uploads.saveImportJob(upload, jobId);
    return jobId;
  }
}

/** True if an earlier attempt has imported the course, or its new version. */
const isImported = async (
  provider: CourseProvider,
  { courseGuid }: ImportTarget,
  { importedOver }: Upload,
): Promise<boolean> =>
  importedOver !== null && (await versionOf(provider, courseGuid)) > importedOver;

const versionOf = async (provider: CourseProvider, courseGuid: string): Promise<number> =>
  (await provider.getCourse(courseGuid))?.version ?? noVersion;

/** Returns the warnings of the job when it has succeeded. */
async function waitForJob(provider: CourseProvider, jobId: string): Promise<string[]> {
  for (let polls = 1; ; polls += 1) {
    const { status, message, warnings, findings } = await provider.getImportJob(jobId);
    if (status === 'error') {
      const reason = `the course provider refuses the package: ${message}`;
      throw new Failure(
        'invalid',
        reason,
        undefined,
        findings.length > 0 ? { findings: [...findings] } : {},
      );
    }
    if (status !== 'running') return [...warnings];
    const delay = exponentialDelay(polls, pauseMsRange);
    if (remainingTimeMs() <= delay) {
      throw new Failure('expired', 'the course provider is still importing the package');
    }
    await clock.sleep(delay);
  }
}
