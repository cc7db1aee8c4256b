import { HandleRequest, type InputOf } from '@registrar/bus';
import {
  createTemplate,
  deleteTemplate,
  Failure,
  indexTemplates,
  type Page,
  templateRecord,
  type TemplateRecord,
  updateTemplate,
} from '@registrar/contracts';
import {
  boundedRows,
  bytesOf,
  countRows,
  customPlan,
  Database,
  decodeCursor,
  join,
  sql,
  type Sql,
  sqlState,
  timestampOf,
  toBoundedPage,
  uniqueViolation,
} from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { reachedTemplates, requireRealmAccess, requireTemplateReader } from '../access-rules.ts';

/** The columns of a template record (contract/templates#record), in a statement on `templates AS t`. */
const templateColumns = sql`
  t.id, t.name, t.body, t.markup, t.mimetype, t.realm_id,
  ${timestampOf(sql`t.created_at`)} AS created_at, ${timestampOf(sql`t.updated_at`)} AS updated_at`;

const listedRow = templateRecord.extend({ more: z.boolean() });

/** Lists, creates, updates and deletes the templates of a realm (contract/templates). */
@Controller()
export class ManageTemplates {
  constructor(private readonly database: Database) {}

  /**
   * Lists templates page by page in the order of ids (contract/templates#index).
   *
   * @throws {Failure} `unauthenticated`
   */
  @HandleRequest(indexTemplates)
  async index(input: InputOf<typeof indexTemplates>): Promise<Page<TemplateRecord>> {
    const { scope, filters, cursor } = input;
    requireTemplateReader(scope);
    const conditions = [reachedTemplates(scope), ...exactMatches(filters)];
    const all = sql`SELECT t.* FROM templates AS t WHERE ${join(conditions, ' AND ')}`;
    const listed = sql`${all} AND t.id > ${decodeCursor(cursor)}`;
    const [rows, total] = await Promise.all([
      this.database.many(
        listedRow,
        sql`SELECT ${templateColumns}, t.more
            FROM (${boundedRows(listed, bytesOf(sql`page.body`), input)}) AS t
            ORDER BY t.id ${customPlan}`,
      ),
      input.count ? countRows(this.database, scope, all) : undefined,
    ]);
    return { ...toBoundedPage(rows), total };
  }

  /**
   * Creates a template (contract/templates#create). Concurrent creates of one name insert one row.
   *
   * @throws {Failure} `unchanged` when the realm has a template of that name; `unauthenticated`
   */
  @HandleRequest(createTemplate)
  async create(input: InputOf<typeof createTemplate>): Promise<TemplateRecord> {
    const { scope, name, body, markup, mimetype } = input;
    requireRealmAccess(scope);
    // A known name is left out before the INSERT, because a row in conflict would use up an id.
    const template = await this.database.maybeOne(
      templateRecord,
      sql`INSERT INTO templates AS t (realm_id, name, body, markup, mimetype)
          SELECT n.* FROM (
            VALUES (${scope.realmId}::bigint, ${name}::text, ${body}::text, ${markup}::text,
                    ${mimetype}::text)
          ) AS n (realm_id, name)
          WHERE NOT EXISTS (
            SELECT FROM templates AS known
            WHERE known.realm_id = n.realm_id AND known.name = n.name
          )
          ON CONFLICT (realm_id, name) DO NOTHING
          RETURNING ${templateColumns}`,
    );
    if (!template) throw new Failure('unchanged', 'the realm has a template of that name');
    return template;
  }

  /**
   * Updates a template; values that are null stay as they are (contract/templates#update).
   *
   * @throws {Failure} `not-found` when the realm has no such template; `invalid` when another one
   * has the new name; `unauthenticated`
   */
  @HandleRequest(updateTemplate)
  async update(input: InputOf<typeof updateTemplate>): Promise<TemplateRecord> {
    const { scope, template, name, body, markup, mimetype } = input;
    requireRealmAccess(scope);
    const isNamed = template.by === 'id' ? sql`t.id = ${template.id}` : isOfName(template.name);
    const updated = await this.database
      .maybeOne(
        templateRecord,
        sql`UPDATE templates AS t
            SET name = coalesce(${name}, name), body = coalesce(${body}, body),
                markup = coalesce(${markup}, markup), mimetype = coalesce(${mimetype}, mimetype),
                updated_at = now()
            WHERE ${reachedTemplates(scope)} AND ${isNamed}
            RETURNING ${templateColumns}`,
      )
      .catch(refuseName);
    return updated ?? throwNotFound();
  }

  /**
   * Deletes a template (contract/templates#delete).
   *
   * @throws {Failure} `not-found` when the realm has no such template; `unauthenticated`
   */
  @HandleRequest(deleteTemplate)
  async delete({ scope, id }: InputOf<typeof deleteTemplate>): Promise<TemplateRecord> {
    requireRealmAccess(scope);
    const deleted = await this.database.maybeOne(
      templateRecord,
      sql`DELETE FROM templates AS t WHERE ${reachedTemplates(scope)} AND t.id = ${id}
          RETURNING ${templateColumns}`,
    );
    return deleted ?? throwNotFound();
  }
}

const isOfName = (name: string): Sql => sql`t.name = ${name}`;

const exactMatches = ({
  name,
  markup,
  mimetype,
}: InputOf<typeof indexTemplates>['filters']): Sql[] => [
  ...(name === undefined ? [] : [isOfName(name)]),
  ...(markup === undefined ? [] : [sql`t.markup = ${markup}`]),
  ...(mimetype === undefined ? [] : [sql`t.mimetype = ${mimetype}`]),
];

function throwNotFound(): never {
  throw new Failure('not-found', 'the realm has no such template');
}

function refuseName(error: unknown): never {
  if (sqlState(error) !== uniqueViolation) throw error;
  throw new Failure('invalid', 'another template of the realm has that name');
}
