import { HandleRequest, type InputOf, Outbox } from '@registrar/bus';
import { type CourseRecord, updateCourse } from '@registrar/contracts';
import { Database, raw, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { reachedCourses, requireCourseWriter } from '../access-rules.ts';
import { courseColumns, courseRow, toCourseRecord } from './course-record.ts';
import { findCourseByGuid } from './find-course.ts';
import { publishCourseChanges } from './publish-course-changes.ts';
import { ProviderTitle } from './provider-title.ts';

type Input = InputOf<typeof updateCourse>;

const updatedRow = courseRow.extend({ version: z.number(), keywords: z.array(z.string()) });
type UpdatedRow = z.output<typeof updatedRow>;

/**
 * Updates the title and custom text of a course (contract/courses#update). From then on the title
 * takes precedence over the provider's, as that of a create does.
 */
@Controller()
export class UpdateCourse {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly providerTitle: ProviderTitle,
  ) {}

  /**
   * @throws {Failure} `not-found` when none of the applications in reach holds the course, or
   * several do; `unauthenticated`
   */
  @HandleRequest(updateCourse)
  async update(input: Input): Promise<CourseRecord> {
    requireCourseWriter(input.scope);
    const { row, isRenamed } = await this.database.transaction(() => this.save(input));
    const { version: _, keywords: __, ...course } = row;
    if (isRenamed) {
      await this.providerTitle.set(course.course_provider_id, course.course_guid, course.title);
    }
    return toCourseRecord(course);
  }

  private async save(input: Input): Promise<{ row: UpdatedRow; isRenamed: boolean }> {
    const { scope, courseGuid, title: newTitle, custom } = input;
    const { applicationIds } = scope;
    const which = { applicationIds, courseGuid };
    const before = await findCourseByGuid(this.database, which, raw('FOR UPDATE'));
    const row = await this.database.one(
      updatedRow,
      sql`
        UPDATE courses AS c
        SET given_title = coalesce(${newTitle}, c.given_title),
            custom = coalesce(${custom}, c.custom),
            updated_at = now(),
            version = c.version + CASE WHEN c.title <> ${newTitle} THEN 1 ELSE 0 END,
            changed_at = CASE WHEN c.title <> ${newTitle} THEN now() ELSE c.changed_at END
        WHERE ${reachedCourses(scope)} AND c.id = ${before.courseId}
        RETURNING ${courseColumns}, c.version, coalesce(c.keywords, '{}') AS keywords`,
    );
    const isRenamed = row.title !== before.title;
    if (isRenamed) {
      const { id: courseId, title, version, keywords } = row;
      const change = { courseId, courseGuid, title, deleted: false, version, keywords };
      await publishCourseChanges(this.outbox, row.course_provider_id, [change]);
    }
    return { row, isRenamed };
  }
}
