import { HandleRequest, type InputOf } from '@registrar/bus';
import {
  indexTemplates,
  type Page,
  templateRecord,
  type TemplateRecord,
} from '@registrar/contracts';
import {
  boundedRows,
  bytesOf,
  customPlan,
  Database,
  decodeCursor,
  join,
  sql,
  type Sql,
  timestampOf,
  toBoundedPage,
} from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { reachedTemplates, requireTemplateReader } from '../access-rules.ts';

type Input = InputOf<typeof indexTemplates>;

const listedRow = templateRecord.extend({ more: z.boolean() });

/** Lists the templates of a realm, page by page in the order of ids (contract/templates#index). */
@Controller()
export class IndexTemplates {
  constructor(private readonly database: Database) {}

  /** @throws {Failure} `unauthenticated` */
  @HandleRequest(indexTemplates)
  async index(input: Input): Promise<Page<TemplateRecord>> {
    const { scope, filters, cursor } = input;
    requireTemplateReader(scope);
    const conditions = [
      sql`t.realm_id = ${reachedTemplates(scope).realmId}`,
      sql`t.id > ${decodeCursor(cursor)}`,
      ...exactMatches(filters),
    ];
    const listed = sql`SELECT t.* FROM templates AS t WHERE ${join(conditions, ' AND ')}`;
    const rows = await this.database.many(
      listedRow,
      sql`SELECT t.id, t.name, t.body, t.markup, t.mimetype, t.realm_id,
                 ${timestampOf(sql`t.created_at`)} AS created_at,
                 ${timestampOf(sql`t.updated_at`)} AS updated_at, t.more
          FROM (${boundedRows(listed, bytesOf(sql`page.body`), input)}) AS t
          ORDER BY t.id ${customPlan}`,
    );
    return toBoundedPage(rows);
  }
}

const exactMatches = ({ name, markup, mimetype }: Input['filters']): Sql[] => [
  ...(name === undefined ? [] : [sql`t.name = ${name}`]),
  ...(markup === undefined ? [] : [sql`t.markup = ${markup}`]),
  ...(mimetype === undefined ? [] : [sql`t.mimetype = ${mimetype}`]),
];
