import type { AccessScope } from '@registrar/contracts';
import { type CourseProvider, CourseProviderDirectory } from '@registrar/course-provider';
import { Database } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import { requireRealmAccess } from '../access-rules.ts';
import { findCourseByGuid } from './find-course.ts';

/** A provider application that holds a course, and its provider. */
interface CourseHolder {
  readonly applicationId: number;
  readonly provider: CourseProvider;
}

/** Finds the provider of a course. */
@Injectable()
export class FindAtProvider {
  constructor(
    private readonly database: Database,
    private readonly providers: CourseProviderDirectory,
  ) {}

  /**
   * @throws {Failure} `unauthenticated` without access to the realm; `not-found` when none of the applications in reach
   * holds the course, or several do
   */
  async find(scope: AccessScope, courseGuid: string): Promise<CourseHolder> {
    requireRealmAccess(scope);
    const { applicationIds } = scope;
    const { applicationId } = await findCourseByGuid(this.database, { applicationIds, courseGuid });
    return { applicationId, provider: await this.providers.forApplication(applicationId) };
  }
}
