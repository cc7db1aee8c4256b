import { HandleRequest, type InputOf, Outbox, type ReplyOf } from '@registrar/bus';
import {
  type AccessScope,
  catalogAudited,
  configureCourse,
  operatorActor,
  readCourseSettings,
} from '@registrar/contracts';
import { CourseProviderError } from '@registrar/course-provider';
import { Database } from '@registrar/persistence';
import { currentRequestContext, describeAct, runWithin } from '@registrar/platform';
import { Controller } from '@nestjs/common';
import { FindAtProvider } from './find-at-provider.ts';
import { throwCourseFailure } from './provider-failure.ts';

/** How long the audit log may take, after the deadline of the request too. */
const auditTimeoutMs = 5_000;

/** The names of the settings that a request has changed. */
interface Changes {
  readonly set: string[];
  readonly removed: string[];
  /** Those of a call whose response was lost: the provider may have changed them. */
  readonly uncertain: string[];
}

/** Reads and changes the settings of a course, which its provider keeps. */
@Controller()
export class ConfigureCourse {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly atProvider: FindAtProvider,
  ) {}

  /** @throws {Failure} as of the contract */
  @HandleRequest(readCourseSettings)
  async read({
    scope,
    courseGuid,
  }: InputOf<typeof readCourseSettings>): Promise<ReplyOf<typeof readCourseSettings>> {
    const { provider } = await this.atProvider.find(scope, courseGuid);
    const settings = await provider.getCourseSettings(courseGuid).catch(throwCourseFailure);
    return { settings };
  }

  /** @throws {Failure} as of the contract */
  @HandleRequest(configureCourse)
  async configure({
    scope,
    courseGuid,
    set,
    removed,
  }: InputOf<typeof configureCourse>): Promise<ReplyOf<typeof configureCourse>> {
    const { applicationId, provider } = await this.atProvider.find(scope, courseGuid);
    const changes: Changes = { set: [], removed: [], uncertain: [] };
    const change = async (ids: readonly string[], done: string[], call: () => Promise<void>) => {
      try {
        await call();
        done.push(...ids);
      } catch (error) {
        if (!isRefusal(error)) changes.uncertain.push(...ids);
        throw error;
      }
    };
    try {
      // First, because the provider sets all of them or none.
      const ids = Object.keys(set);
      if (ids.length > 0) {
        await change(ids, changes.set, () => provider.setCourseSettings(courseGuid, set));
      }
      for (const id of removed) {
        await change([id], changes.removed, () => provider.removeCourseSetting(courseGuid, id));
      }
      return { settings: await provider.getCourseSettings(courseGuid) };
    } catch (error) {
      return throwCourseFailure(error);
    } finally {
      if (Object.values(changes).some(({ length }) => length > 0)) {
        await this.record(scope, courseGuid, applicationId, changes);
      }
    }
  }

  /** Records in the audit log which settings were changed. */
  private record(
    { realmId }: AccessScope,
    courseGuid: string,
    applicationId: number,
    { set, removed, uncertain }: Changes,
  ): Promise<void> {
    const names = (ids: readonly string[]) => ids.join(', ');
    const act = describeAct({
      action: 'course.configured',
      actor: operatorActor,
      realmId,
      subject: {
        course_guid: courseGuid,
        application_id: applicationId,
        set: names(set),
        removed: names(removed),
        ...(uncertain.length > 0 && { uncertain: names(uncertain) }),
      },
    });
    const publish = () => this.outbox.publish(catalogAudited, act);
    return runWithin(
      auditTimeoutMs,
      () => this.database.transaction(publish),
      currentRequestContext()?.requestId,
    );
  }
}

/** Whether the provider has said that it changes nothing. */
const isRefusal = (error: unknown): boolean =>
  error instanceof CourseProviderError &&
  ['refused', 'unauthorized', 'not-found', 'throttled'].includes(error.fault.kind);
