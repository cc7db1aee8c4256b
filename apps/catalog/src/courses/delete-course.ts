import { HandleRequest, IdempotencyStore, type InputOf, Outbox } from '@registrar/bus';
import {
  type AccessScope,
  auditActorOf,
  catalogAudited,
  type CourseRecord,
  deleteCourse,
  Failure,
} from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { describeAct } from '@registrar/platform';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { courseColumns, courseRow, toCourseRecord } from './course-record.ts';
import { FindAtProvider } from './find-at-provider.ts';
import { PendingCreates } from './pending-creates.ts';
import { throwCourseFailure } from './provider-failure.ts';
import {
  changedCourseColumns,
  changedCourseRow,
  publishCourseChanges,
} from './publish-course-changes.ts';

const deletedRow = changedCourseRow.extend({ deletedAt: z.date() });

/** Deletes a course, first at its provider and then here (contract/courses#delete). */
@Controller()
export class DeleteCourse {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly atProvider: FindAtProvider,
    private readonly pendingCreates: PendingCreates,
    private readonly idempotency: IdempotencyStore,
  ) {}

  /**
   * A delete that ends between its two steps is completed by a repetition, or by the crawl of the
   * course list, which no longer finds the course.
   *
   * @throws {Failure} `not-found` when none of the applications in reach holds the course, or
   * several do; `unavailable`; `expired`; `unauthenticated`
   */
  @HandleRequest(deleteCourse)
  async delete({ scope, courseGuid }: InputOf<typeof deleteCourse>): Promise<CourseRecord> {
    const { applicationId, provider } = await this.atProvider.find(scope, courseGuid);
    await provider.deleteCourse(courseGuid).catch(throwCourseFailure);
    return this.idempotency.commitReply(() => this.markDeleted(scope, applicationId, courseGuid));
  }

  private async markDeleted(
    scope: AccessScope,
    applicationId: number,
    courseGuid: string,
  ): Promise<CourseRecord> {
    const course = await this.database.maybeOne(
      courseRow,
      sql`
        SELECT ${courseColumns} FROM courses AS c
        WHERE c.provider_application_id = ${applicationId} AND c.course_guid = ${courseGuid}
          AND NOT c.deleted
        FOR UPDATE`,
    );
    if (!course) throw new Failure('not-found', 'the course was deleted meanwhile');
    // Crawls that called the provider before `confirmed_at` do not restore the course. A course that
    // is created again under its GUID is a new one: it inherits neither title nor custom text.
    const { deletedAt, ...change } = await this.database.one(
      deletedRow,
      sql`
        UPDATE courses AS c
        SET deleted = true, given_title = NULL, custom = NULL, version = c.version + 1,
            changed_at = now(), updated_at = now(), confirmed_at = now()
        WHERE c.provider_application_id = ${applicationId} AND c.id = ${course.id}
        RETURNING ${changedCourseColumns}, c.confirmed_at AS "deletedAt"`,
    );
    await this.pendingCreates.delete(applicationId, courseGuid);
    const registrationsDeletedAt = deletedAt.toISOString();
    const { title } = course;
    await publishCourseChanges(this.outbox, applicationId, [
      { ...change, title, registrationsDeletedAt },
    ]);
    await this.outbox.publish(
      catalogAudited,
      describeAct({
        action: 'course.deleted',
        actor: auditActorOf(scope),
        realmId: scope.realmId,
        subject: { course_guid: courseGuid, application_id: applicationId },
      }),
    );
    return toCourseRecord(course);
  }
}
