import { Database, raw, sql } from '@registrar/persistence';
import { BadRequestException, Injectable, type NotFoundException } from '@nestjs/common';
import * as z from 'zod';
import { type AuthenticatedApplication, ownedBy } from '../access-rules.ts';
import { courseNotFound } from '../courses/find-course.ts';
import { maxTags } from '../http/tag-list.ts';
import { registrationNotFound } from '../registrations/find-registration.ts';

/** What has tags: its table, the column of the id that the application chose, and its 404. */
interface Tagged {
  readonly table: 'courses' | 'registrations';
  readonly idColumn: 'course_id' | 'registration_id';
  readonly notFound: (id: string) => NotFoundException;
}

export const taggedCourses: Tagged = {
  table: 'courses',
  idColumn: 'course_id',
  notFound: courseNotFound,
};
export const taggedRegistrations: Tagged = {
  table: 'registrations',
  idColumn: 'registration_id',
  notFound: registrationNotFound,
};

const tagsRow = z.object({ id: z.number(), tags: z.array(z.string()) });

/** Reads and changes the tags of courses and registrations. */
@Injectable()
export class EditTags {
  constructor(private readonly database: Database) {}

  /** @throws {NotFoundException} if the application has no such course or registration */
  async list(application: AuthenticatedApplication, of: Tagged, id: string): Promise<string[]> {
    return (await this.find(application, of, id)).tags;
  }

  /** @throws {BadRequestException} if it would have more than {@link maxTags} */
  add(application: AuthenticatedApplication, of: Tagged, id: string, added: readonly string[]) {
    return this.change(application, of, id, (tags) => [...new Set([...tags, ...added])]);
  }

  remove(
    application: AuthenticatedApplication,
    of: Tagged,
    id: string,
    removed: readonly string[],
  ) {
    return this.change(application, of, id, (tags) =>
      tags.filter((each) => !removed.includes(each)),
    );
  }

  private async change(
    application: AuthenticatedApplication,
    of: Tagged,
    id: string,
    edit: (tags: readonly string[]) => string[],
  ): Promise<void> {
    await this.database.transaction(async () => {
      const row = await this.find(application, of, id, raw('FOR NO KEY UPDATE'));
      const tags = edit(row.tags);
      if (tags.length > maxTags) throw new BadRequestException(`tags: more than ${maxTags}`);
      await this.database.execute(
        sql`UPDATE ${raw(of.table)} AS t SET tags = ${tags}::text[], updated_at = clock_timestamp()
            WHERE ${ownedBy(application, 't')} AND t.id = ${row.id}`,
      );
    });
  }

  private async find(
    application: AuthenticatedApplication,
    { table, idColumn, notFound }: Tagged,
    id: string,
    lock = raw(''),
  ): Promise<z.output<typeof tagsRow>> {
    const row = await this.database.maybeOne(
      tagsRow,
      sql`SELECT t.id, t.tags FROM ${raw(table)} AS t
          WHERE ${ownedBy(application, 't')} AND ${raw(idColumn)} = ${id} ${lock}`,
    );
    if (!row) throw notFound(id);
    return row;
  }
}
