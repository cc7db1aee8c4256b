import { type InputOf } from '#libs/bus';
import { type indexTemplates, type Page, type TemplateRecord } from '#libs/contracts';
import { Database, decodeCursor, pageOf } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import { requireTemplateReader } from './template-access.ts';
import { templateColumns, templateRecord, type TemplateRow } from './template-record.ts';

/** The realm's templates (api-v2.md, Template), page by page in the order of ids. */
@Injectable()
export class IndexTemplates {
  constructor(private readonly database: Database) {}

  /** @throws {Failure} `unauthenticated` */
  async run(input: InputOf<typeof indexTemplates>): Promise<Page<TemplateRecord>> {
    const { scope, filters, cursor, limit } = input;
    requireTemplateReader(scope);
    const rows = await this.database.query<TemplateRow>(
      `SELECT ${templateColumns} FROM templates
       WHERE realm_id = $1 AND id > $2
         AND ($3::text IS NULL OR name = $3)
         AND ($4::text IS NULL OR markup = $4)
         AND ($5::text IS NULL OR mimetype = $5)
       ORDER BY id
       LIMIT $6`,
      [
        scope.realmId,
        decodeCursor(cursor),
        filters.name ?? null,
        filters.markup ?? null,
        filters.mimetype ?? null,
        limit + 1,
      ],
    );
    const page = pageOf(rows, limit);
    return { items: page.items.map(templateRecord), next: page.next };
  }
}
