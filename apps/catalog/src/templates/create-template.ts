import { type InputOf } from '#libs/bus';
import { type createTemplate, Failure, type TemplateRecord } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import { requireTemplateWriter } from './template-access.ts';
import { templateColumns, templateRecord, type TemplateRow } from './template-record.ts';

/** Makes a template of a realm (decision 26). Of equal creates that race each other one makes it. */
@Injectable()
export class CreateTemplate {
  constructor(private readonly database: Database) {}

  /** @throws {Failure} `unchanged` when the realm has one of that name; `unauthenticated` */
  async run(input: InputOf<typeof createTemplate>): Promise<TemplateRecord> {
    const { scope, name, body, markup, mimetype } = input;
    requireTemplateWriter(scope);
    // Looks first: a create that is repeated for ever draws no ids.
    const [row] = await this.database.query<TemplateRow>(
      `INSERT INTO templates (realm_id, name, body, markup, mimetype)
       SELECT $1, $2, $3, $4, $5
       WHERE NOT EXISTS (SELECT FROM templates WHERE realm_id = $1 AND name = $2)
       ON CONFLICT (realm_id, name) DO NOTHING
       RETURNING ${templateColumns}`,
      [scope.realmId, name, body, markup, mimetype],
    );
    if (!row) throw new Failure('unchanged', 'the realm has a template of that name');
    return templateRecord(row);
  }
}
