import { Database, raw, sql } from '@registrar/persistence';
import {
  BadRequestException,
  Body,
  Delete,
  Get,
  HttpCode,
  Inject,
  type NotFoundException,
  Param,
  Put,
} from '@nestjs/common';
import * as z from 'zod';
import { type AuthenticatedApplication, ownedBy } from '../access-rules.ts';
import { courseNotFound } from '../courses/find-course.ts';
import { ApiController } from '../http/api-controller.ts';
import { CurrentApplication } from '../http/api-access.guard.ts';
import { SchemaPipe } from '../http/schema.pipe.ts';
import { maxTags, tagListBody } from '../http/tag-list.ts';
import { registrationNotFound } from '../registrations/load-registration.ts';

type TagList = z.output<typeof tagListBody>;

const tagsRow = z.object({ id: z.number(), tags: z.array(z.string()) });

/** Reads and changes the tags of something in the API. */
abstract class EditTags {
  protected abstract readonly table: 'courses' | 'registrations';
  /** The column of the id that the application chose. */
  protected abstract readonly idColumn: 'course_id' | 'registration_id';
  protected abstract readonly notFound: (id: string) => NotFoundException;

  constructor(@Inject(Database) private readonly database: Database) {}

  /** @throws {NotFoundException} if the application has no such course or registration */
  @Get()
  async list(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('id') id: string,
  ): Promise<TagList> {
    const { tags } = await this.find(application, id);
    return { tags };
  }

  /** @throws {BadRequestException} if it would have more than {@link maxTags} */
  @Put()
  @HttpCode(204)
  add(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('id') id: string,
    @Body(new SchemaPipe(tagListBody)) { tags: added }: TagList,
  ): Promise<void> {
    return this.change(application, id, (tags) => [...new Set([...tags, ...added])]);
  }

  @Delete()
  @HttpCode(204)
  remove(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('id') id: string,
    @Body(new SchemaPipe(tagListBody)) { tags: removed }: TagList,
  ): Promise<void> {
    return this.change(application, id, (tags) => tags.filter((each) => !removed.includes(each)));
  }

  private async change(
    application: AuthenticatedApplication,
    id: string,
    edit: (tags: readonly string[]) => string[],
  ): Promise<void> {
    await this.database.transaction(async () => {
      const row = await this.find(application, id, raw('FOR NO KEY UPDATE'));
      const tags = edit(row.tags);
      if (tags.length > maxTags) throw new BadRequestException(`tags: more than ${maxTags}`);
      await this.database.execute(
        sql`UPDATE ${raw(this.table)} AS t
            SET tags = ${tags}::text[], updated_at = clock_timestamp()
            WHERE ${ownedBy(application, 't')} AND t.id = ${row.id}`,
      );
    });
  }

  private async find(
    application: AuthenticatedApplication,
    id: string,
    lock = raw(''),
  ): Promise<z.output<typeof tagsRow>> {
    const row = await this.database.maybeOne(
      tagsRow,
      sql`SELECT t.id, t.tags FROM ${raw(this.table)} AS t
          WHERE ${ownedBy(application, 't')} AND ${raw(this.idColumn)} = ${id} ${lock}`,
    );
    if (!row) throw this.notFound(id);
    return row;
  }
}

@ApiController('courses/:id/tags')
export class EditCourseTags extends EditTags {
  protected readonly table = 'courses';
  protected readonly idColumn = 'course_id';
  protected readonly notFound = courseNotFound;
}

@ApiController('registrations/:id/tags')
export class EditRegistrationTags extends EditTags {
  protected readonly table = 'registrations';
  protected readonly idColumn = 'registration_id';
  protected readonly notFound = registrationNotFound;
}
