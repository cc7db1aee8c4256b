import {
  HandleRequest,
  IdempotencyStore,
  type InputOf,
  Outbox,
  type ReplyOf,
} from '@registrar/bus';
import {
  type AccessScope,
  catalogAudited,
  configureCourse,
  maxFactLength,
  operatorActor,
  readCourseSettings,
} from '@registrar/contracts';
import { type CourseProvider, CourseProviderDirectory } from '@registrar/course-provider';
import { Database } from '@registrar/persistence';
import { describeAct } from '@registrar/platform';
import { Controller } from '@nestjs/common';
import { requireRealmAccess } from '../access-rules.ts';
import { findCourseByGuid } from './find-course.ts';
import { throwCourseFailure } from './provider-failure.ts';

/** Reads and changes the settings of a course, which its provider keeps. */
@Controller()
export class ConfigureCourse {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly providers: CourseProviderDirectory,
    private readonly idempotency: IdempotencyStore,
  ) {}

  /** @throws {Failure} as of the contract */
  @HandleRequest(readCourseSettings)
  async read({
    scope,
    courseGuid,
  }: InputOf<typeof readCourseSettings>): Promise<ReplyOf<typeof readCourseSettings>> {
    const { provider } = await this.find(scope, courseGuid);
    const settings = await provider.getCourseSettings(courseGuid).catch(throwCourseFailure);
    return { settings };
  }

  /** @throws {Failure} as of the contract */
  @HandleRequest(configureCourse)
  async configure({
    scope,
    courseGuid,
    made,
    removed,
  }: InputOf<typeof configureCourse>): Promise<ReplyOf<typeof configureCourse>> {
    const { applicationId, provider } = await this.find(scope, courseGuid);
    // First, because the provider makes all of them or none.
    if (Object.keys(made).length > 0) {
      await provider.setCourseSettings(courseGuid, made).catch(throwCourseFailure);
    }
    for (const id of removed) {
      await provider.removeCourseSetting(courseGuid, id).catch(throwCourseFailure);
    }
    const settings = await provider.getCourseSettings(courseGuid).catch(throwCourseFailure);
    const names = (ids: readonly string[]) => ids.join(', ').slice(0, maxFactLength);
    return this.idempotency.commitReply(async () => {
      await this.outbox.publish(
        catalogAudited,
        describeAct({
          action: 'course.configured',
          actor: operatorActor,
          realmId: scope.realmId,
          subject: {
            course_guid: courseGuid,
            application_id: applicationId,
            made: names(Object.keys(made)),
            removed: names(removed),
          },
        }),
      );
      return { settings };
    });
  }

  private async find(
    scope: AccessScope,
    courseGuid: string,
  ): Promise<{ readonly applicationId: number; readonly provider: CourseProvider }> {
    requireRealmAccess(scope);
    const { applicationIds } = scope;
    const { applicationId } = await findCourseByGuid(this.database, { applicationIds, courseGuid });
    return { applicationId, provider: await this.providers.forApplication(applicationId) };
  }
}
