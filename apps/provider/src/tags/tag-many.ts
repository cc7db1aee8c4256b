import { Database, raw, sql } from '@registrar/persistence';
import { BadRequestException, Body, HttpCode, Inject, Put } from '@nestjs/common';
import * as z from 'zod';
import { type AuthenticatedApplication, ownedBy } from '../access-rules.ts';
import { ApiController } from '../http/api-controller.ts';
import { CurrentApplication } from '../http/api-access.guard.ts';
import { bodyObject, externalId } from '../http/parse.ts';
import { SchemaPipe } from '../http/schema.pipe.ts';
import { maxTags, tag } from '../http/tag-list.ts';
import { type Tagged, taggedCourses, taggedLearners, taggedRegistrations } from './tagged.ts';

/** Courses, registrations or learners in one request. */
const maxTagged = 500;

const batchBody = bodyObject({
  ids: z.array(externalId).max(maxTagged),
  tags: z.array(tag).max(maxTags),
});

const taggedRow = z.object({ id: z.string(), count: z.number() });

/** Adds tags to several courses, registrations or learners: to all of them, or to none. */
abstract class TagMany {
  protected abstract readonly tagged: Tagged;

  constructor(@Inject(Database) private readonly database: Database) {}

  /**
   * @throws {NotFoundException} if the application lacks one of them
   * @throws {BadRequestException} if one would have more than {@link maxTags}
   */
  @Put()
  @HttpCode(204)
  async add(
    @CurrentApplication() application: AuthenticatedApplication,
    @Body(new SchemaPipe(batchBody)) { ids, tags }: z.output<typeof batchBody>,
  ): Promise<void> {
    const { table, idColumn, notFound, enter } = this.tagged;
    const added = [...new Set(tags)];
    await this.database.transaction(async () => {
      if (enter) await this.database.execute(enter(application, ids));
      const rows = await this.database.many(
        taggedRow,
        sql`WITH locked AS (
              SELECT t.id FROM ${raw(table)} AS t
              WHERE ${ownedBy(application, 't')} AND t.${raw(idColumn)} = ANY (${ids}::text[])
              ORDER BY t.id FOR NO KEY UPDATE
            )
            UPDATE ${raw(table)} AS t
            SET tags = t.tags || ARRAY(
                  SELECT new FROM unnest(${added}::text[]) WITH ORDINALITY AS u (new, place)
                  WHERE new <> ALL (t.tags) ORDER BY place
                ),
                updated_at = clock_timestamp()
            FROM locked WHERE t.id = locked.id AND ${ownedBy(application, 't')}
            RETURNING t.${raw(idColumn)} AS id, cardinality(t.tags) AS count`,
      );
      const found = new Set(rows.map(({ id }) => id));
      const missing = ids.find((id) => !found.has(id));
      if (missing !== undefined) throw notFound(missing);
      const full = rows.find(({ count }) => count > maxTags);
      if (full) throw new BadRequestException(`tags: ${full.id} would have more than ${maxTags}`);
    });
  }
}

@ApiController('courses/tags')
export class TagCourses extends TagMany {
  protected readonly tagged = taggedCourses;
}

@ApiController('registrations/tags')
export class TagRegistrations extends TagMany {
  protected readonly tagged = taggedRegistrations;
}

@ApiController('learner/tags')
export class TagLearners extends TagMany {
  protected readonly tagged = taggedLearners;
}
