import { type InputOf, Outbox } from '#libs/bus';
import { type CourseRecord, Failure, type updateCourse } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import { courseColumns, courseRecord, type CourseRow } from './course-record.ts';
import { requireManager } from './create-reach.ts';
import { publishChanges } from './publish-changes.ts';
import { TellTitle } from './tell-title.ts';

type Input = InputOf<typeof updateCourse>;
type UpdatedRow = CourseRow & { readonly version: number };

/**
 * Course update (decision 21). The title wins over the provider's from now on, like that of a
 * create.
 */
@Injectable()
export class UpdateCourse {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly tellTitle: TellTitle,
  ) {}

  /**
   * @throws {Failure} `not-found` when none of the applications within reach holds the course, and
   * when several do; `unauthenticated`
   */
  async run(input: Input): Promise<CourseRecord> {
    requireManager(input.scope);
    const { row, isRenamed } = await this.database.transaction(() => this.update(input));
    const { version: _, ...course } = row;
    if (isRenamed) {
      await this.tellTitle.run(course.course_provider_id, course.course_guid, course.title);
    }
    return courseRecord(course);
  }

  private async update(input: Input): Promise<{ row: UpdatedRow; isRenamed: boolean }> {
    const before = await this.find(input);
    const [row] = await this.database.query<UpdatedRow>(
      `UPDATE courses AS c
       SET given_title = coalesce($3, c.given_title), custom = coalesce($4, c.custom),
           updated_at = now(),
           version = c.version + CASE WHEN c.title <> $3 THEN 1 ELSE 0 END,
           changed_at = CASE WHEN c.title <> $3 THEN now() ELSE c.changed_at END
       WHERE c.provider_application_id = ANY($1) AND c.id = $2
       RETURNING ${courseColumns}, c.version`,
      [input.scope.applicationIds, before.id, input.title, input.custom],
    );
    if (!row) throw new Error('a course that was locked is not there');
    const isRenamed = row.title !== before.title;
    if (isRenamed) {
      const { id: courseId, course_guid: courseGuid, title, version } = row;
      const change = { courseId, courseGuid, title, deleted: false, version };
      await publishChanges(this.outbox, row.course_provider_id, [change]);
    }
    return { row, isRenamed };
  }

  private async find({ scope, courseGuid }: Input): Promise<{ id: number; title: string }> {
    const [course, another] = await this.database.query<{ id: number; title: string }>(
      `SELECT id, title FROM courses
       WHERE provider_application_id = ANY($1) AND course_guid = $2 AND NOT deleted
       ORDER BY id
       LIMIT 2
       FOR UPDATE`,
      [scope.applicationIds, courseGuid],
    );
    if (!course) throw new Failure('not-found', 'no such course');
    if (another) throw new Failure('not-found', 'several provider applications hold the course');
    return course;
  }
}
