import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { previewCourse } from '@registrar/contracts';
import { CourseProviderDirectory } from '@registrar/course-provider';
import { Database } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import { requireRealmAccess } from '../access-rules.ts';
import { findCourseByGuid } from './find-course.ts';
import { throwCourseFailure } from './provider-failure.ts';

/** How long a link is valid, as long as that of a launch: seconds. */
const linkExpirySeconds = 120;

/** Creates links that open a course for reading. */
@Controller()
export class PreviewCourse {
  constructor(
    private readonly database: Database,
    private readonly providers: CourseProviderDirectory,
  ) {}

  /** @throws {Failure} as of the contract */
  @HandleRequest(previewCourse)
  async preview({
    scope,
    courseGuid,
  }: InputOf<typeof previewCourse>): Promise<ReplyOf<typeof previewCourse>> {
    requireRealmAccess(scope);
    const { applicationIds } = scope;
    const { applicationId } = await findCourseByGuid(this.database, { applicationIds, courseGuid });
    const provider = await this.providers.forApplication(applicationId);
    const link = provider.createPreviewLink(courseGuid, linkExpirySeconds);
    return { url: await link.catch(throwCourseFailure) };
  }
}
