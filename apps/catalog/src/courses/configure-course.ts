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
    const changed = { made: [] as string[], removed: [] as string[] };
    const record = () => this.record(scope, courseGuid, applicationId, changed);
    const change = async () => {
      // First, because the provider makes all of them or none.
      if (Object.keys(made).length > 0) {
        await provider.setCourseSettings(courseGuid, made);
        changed.made.push(...Object.keys(made));
      }
      for (const id of removed) {
        await provider.removeCourseSetting(courseGuid, id);
        changed.removed.push(id);
      }
      return provider.getCourseSettings(courseGuid);
    };
    const settings = await change().catch(async (error: unknown) => {
      // What the provider changed before a call failed.
      if (changed.removed.length + changed.made.length > 0) await this.database.transaction(record);
      return throwCourseFailure(error);
    });
    return this.idempotency.commitReply(async () => {
      await record();
      return { settings };
    });
  }

  /** Records in the audit log which settings were made and removed. */
  private record(
    scope: AccessScope,
    courseGuid: string,
    applicationId: number,
    { made, removed }: Record<'made' | 'removed', readonly string[]>,
  ): Promise<void> {
    const names = (ids: readonly string[]) => ids.join(', ').slice(0, maxFactLength);
    return this.outbox.publish(
      catalogAudited,
      describeAct({
        action: 'course.configured',
        actor: operatorActor,
        realmId: scope.realmId,
        subject: {
          course_guid: courseGuid,
          application_id: applicationId,
          made: names(made),
          removed: names(removed),
        },
      }),
    );
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
