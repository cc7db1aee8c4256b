import { Database, raw, sql } from '@registrar/persistence';
import {
  BadRequestException,
  Body,
  Delete,
  Get,
  HttpCode,
  Inject,
  Param,
  Put,
} from '@nestjs/common';
import * as z from 'zod';
import { type AuthenticatedApplication, ownedBy } from '../access-rules.ts';
import { ApiController } from '../http/api-controller.ts';
import { CurrentApplication } from '../http/api-access.guard.ts';
import { SchemaPipe } from '../http/schema.pipe.ts';
import { maxTags, tagListBody } from '../http/tag-list.ts';
import { type Tagged, taggedCourses, taggedLearners, taggedRegistrations } from './tagged.ts';

type TagList = z.output<typeof tagListBody>;

const tagsRow = z.object({ tags: z.array(z.string()) });
const lockedRow = tagsRow.extend({ id: z.number() });

/** Reads and changes the tags of something in the API. */
abstract class EditTags {
  protected abstract readonly tagged: Tagged;

  constructor(@Inject(Database) private readonly database: Database) {}

  /** @throws {NotFoundException} if the application has no such course, registration or learner */
  @Get()
  async list(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('id') id: string,
  ): Promise<TagList> {
    const row = await this.database.maybeOne(tagsRow, this.tagged.tagsOf(application, id));
    if (!row) throw this.tagged.notFound(id);
    return row;
  }

  /**
   * @throws {NotFoundException} if the application has no such course, registration or learner
   * @throws {BadRequestException} if it would have more than {@link maxTags}
   */
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
      const row = await this.lock(application, id);
      const tags = edit(row.tags);
      if (tags.length > maxTags) throw new BadRequestException(`tags: more than ${maxTags}`);
      await this.database.execute(
        sql`UPDATE ${raw(this.tagged.table)} AS t
            SET tags = ${tags}::text[], updated_at = clock_timestamp()
            WHERE ${ownedBy(application, 't')} AND t.id = ${row.id}`,
      );
    });
  }

  private async lock(
    application: AuthenticatedApplication,
    id: string,
  ): Promise<z.output<typeof lockedRow>> {
    const { table, idColumn, notFound, enter } = this.tagged;
    if (enter) await this.database.execute(enter(application, [id]));
    const row = await this.database.maybeOne(
      lockedRow,
      sql`SELECT t.id, t.tags FROM ${raw(table)} AS t
          WHERE ${ownedBy(application, 't')} AND t.${raw(idColumn)} = ${id} FOR NO KEY UPDATE`,
    );
    if (!row) throw notFound(id);
    return row;
  }
}

@ApiController('courses/:id/tags')
export class EditCourseTags extends EditTags {
  protected readonly tagged = taggedCourses;
}

@ApiController('registrations/:id/tags')
export class EditRegistrationTags extends EditTags {
  protected readonly tagged = taggedRegistrations;
}

@ApiController('learner/:id/tags')
export class EditLearnerTags extends EditTags {
  protected readonly tagged = taggedLearners;
}
