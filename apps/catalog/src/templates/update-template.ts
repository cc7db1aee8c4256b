import { type InputOf } from '#libs/bus';
import { Failure, type TemplateRecord, type updateTemplate } from '#libs/contracts';
import { Database, sqlState } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import { requireTemplateWriter } from './template-access.ts';
import { templateColumns, templateRecord, type TemplateRow } from './template-record.ts';

const uniqueViolation = '23505';

/** Changes a template of a realm (decision 26). What is null stays as it is. */
@Injectable()
export class UpdateTemplate {
  constructor(private readonly database: Database) {}

  /**
   * @throws {Failure} `not-found` when the realm has no such template; `invalid` when another one
   * has the new name; `unauthenticated`
   */
  async run(input: InputOf<typeof updateTemplate>): Promise<TemplateRecord> {
    const { scope, template, name, body, markup, mimetype } = input;
    requireTemplateWriter(scope);
    const [row] = await this.database
      .query<TemplateRow>(
        `UPDATE templates
         SET name = coalesce($4, name), body = coalesce($5, body),
             markup = coalesce($6, markup), mimetype = coalesce($7, mimetype), updated_at = now()
         WHERE realm_id = $1 AND (id = $2 OR name = $3)
         RETURNING ${templateColumns}`,
        [
          scope.realmId,
          template.by === 'id' ? template.id : null,
          template.by === 'name' ? template.name : null,
          name,
          body,
          markup,
          mimetype,
        ],
      )
      .catch((error: unknown) => {
        if (sqlState(error) !== uniqueViolation) throw error;
        throw new Failure('invalid', 'another template of the realm has that name');
      });
    if (!row) throw new Failure('not-found', 'no such template');
    return templateRecord(row);
  }
}
