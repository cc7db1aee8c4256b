import {
  HandleRequest,
  IdempotencyStore,
  type InputOf,
  Outbox,
  type ReplyOf,
} from '@registrar/bus';
import {
  auditActorOf,
  catalogAudited,
  type CourseRecord,
  deleteCourseVersion,
  Failure,
  listCourseVersions,
} from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { clock, describeAct } from '@registrar/platform';
import { Controller } from '@nestjs/common';
import { courseColumns, courseRow, toCourseRecord } from './course-record.ts';
import { FindAtProvider } from './find-at-provider.ts';
import { throwCourseFailure } from './provider-failure.ts';
import { UpsertCourses } from './upsert-courses.ts';

/** Lists and deletes the versions of a course, which its provider keeps. */
@Controller()
export class CourseVersions {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly atProvider: FindAtProvider,
    private readonly upsertCourses: UpsertCourses,
    private readonly idempotency: IdempotencyStore,
  ) {}

  /** @throws {Failure} as of the contract */
  @HandleRequest(listCourseVersions)
  async list({
    scope,
    courseGuid,
  }: InputOf<typeof listCourseVersions>): Promise<ReplyOf<typeof listCourseVersions>> {
    const { provider } = await this.atProvider.find(scope, courseGuid);
    return { versions: await provider.getCourseVersions(courseGuid).catch(throwCourseFailure) };
  }

  /**
   * Deletes the version at the provider, and then reads the course again.
   *
   * @throws {Failure} as of the contract
   */
  @HandleRequest(deleteCourseVersion)
  async delete({
    scope,
    courseGuid,
    version,
  }: InputOf<typeof deleteCourseVersion>): Promise<CourseRecord> {
    const { applicationId, provider } = await this.atProvider.find(scope, courseGuid);
    const versions = await provider.getCourseVersions(courseGuid).catch(throwCourseFailure);
    if (!versions.some((each) => each.version === version)) {
      throw new Failure('not-found', 'the course has no such version');
    }
    if (versions.length === 1) {
      throw new Failure('invalid', 'it is the only version of the course: delete the course');
    }
    await provider.deleteCourseVersion(courseGuid, version).catch(throwCourseFailure);
    const stamp = { sequence: null, at: clock.date().toISOString() };
    const course = await provider.getCourse(courseGuid).catch(throwCourseFailure);
    return this.idempotency.commitReply(async () => {
      if (course) await this.upsertCourses.upsert({ applicationId, stamp, courses: [course] });
      await this.outbox.publish(
        catalogAudited,
        describeAct({
          action: 'course.version-deleted',
          actor: auditActorOf(scope),
          realmId: scope.realmId,
          subject: { course_guid: courseGuid, application_id: applicationId, version },
        }),
      );
      return toCourseRecord(
        await this.database.one(
          courseRow,
          sql`SELECT ${courseColumns} FROM courses AS c
              WHERE c.provider_application_id = ${applicationId} AND c.course_guid = ${courseGuid}`,
        ),
      );
    });
  }
}
