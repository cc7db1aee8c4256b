import {
  customPlan,
  type Database,
  join,
  raw,
  type RowSchema,
  sql,
  type Sql,
} from '@registrar/persistence';
import { BadRequestException, type PipeTransform } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import * as z from 'zod';
import { flag, parse, timestamp } from './parse.ts';
import { tagFilter } from './tag-list.ts';

/** The sort orders of lists. Ids break ties, in the same direction. */
const sortOrders = {
  created_asc: { column: 'created_at', direction: 'ASC' },
  created_desc: { column: 'created_at', direction: 'DESC' },
  updated_asc: { column: 'updated_at', direction: 'ASC' },
  updated_desc: { column: 'updated_at', direction: 'DESC' },
} as const;

/** The parameters of all lists, beside `more`. */
export const listQuery = z.strictObject({
  since: timestamp.optional(),
  until: timestamp.optional(),
  /** The time that `since` and `until` filter by. */
  datetimeFilter: z.enum(['created', 'updated']),
  /** A text that the field of `filterBy` contains, in any case. */
  filter: z.string().max(255).optional(),
  tags: tagFilter.optional(),
  includeTotalCount: flag.default(false),
  orderBy: z.enum(Object.keys(sortOrders) as [keyof typeof sortOrders]).default('created_desc'),
});

/** The columns that lists are sorted by. */
interface PagedRow {
  readonly id: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** A request for a page of a list. */
export interface PageRequest<Query> {
  readonly query: Query;
  /** The query as the client sent it. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The position of the last row of the page before; null for the first page. */
  readonly after: z.output<typeof moreToken>['after'] | null;
}

/** The content of a `more` token: the whole query, because a client sends only the token. */
const moreToken = z.object({
  query: z.record(z.string(), z.string()),
  /** `at` is the value of the column that the list is sorted by. */
  after: z.object({ at: z.iso.datetime(), id: z.int() }),
});

/**
 * Parses the parameters of a list, from the `more` token if there is one. The token contains the
 * parameters of the first page; others beside it are refused.
 */
export class PageRequestPipe<Query extends z.ZodType> implements PipeTransform {
  constructor(private readonly schema: Query) {}

  transform(sentQuery: unknown): PageRequest<z.output<Query>> {
    const sent = z.record(z.string(), z.string()).safeParse(sentQuery ?? {});
    if (!sent.success) throw new BadRequestException('A parameter is given more than once.');
    const { more, ...given } = sent.data;
    const { query: parameters, after } =
      more === undefined ? { query: given, after: null } : decodeMore(more);
    const [other] = Object.keys(given).filter((name) => given[name] !== parameters[name]);
    if (other !== undefined) {
      throw new BadRequestException(`${other}: differs from the list that more continues`);
    }
    return { query: parse(this.schema, parameters), parameters, after };
  }
}

function decodeMore(token: string): z.output<typeof moreToken> {
  try {
    return moreToken.parse(JSON.parse(Buffer.from(token, 'base64url').toString('utf8')));
  } catch {
    throw new BadRequestException('more: not a token of this list');
  }
}

const encodeMore = (token: z.output<typeof moreToken>): string =>
  Buffer.from(JSON.stringify(token)).toString('base64url');

type ListQuery = z.output<typeof listQuery>;

/**
 * The conditions of a list on the rows of the table `alias`: `since`, `until`, `tags` and `filter`.
 *
 * @param filterColumn the column of `filterBy`
 */
function listConditions(query: ListQuery, alias: string, filterColumn: string): Sql[] {
  const { since, until, tags, filter } = query;
  const datetime = raw(`${alias}.${query.datetimeFilter}_at`);
  const tagColumn = raw(`${alias}.tags`);
  return [
    ...(since ? [sql`${datetime} >= ${since}`] : []),
    ...(until ? [sql`${datetime} <= ${until}`] : []),
    // The first condition is that of the partial index.
    ...(tags ? [sql`${tagColumn} <> '{}' AND ${tagColumn} && ${tags}::text[]`] : []),
    ...(filter === undefined
      ? []
      : [sql`strpos(lower(${raw(filterColumn)}), lower(${filter})) > 0`]),
  ];
}

const countRow = z.object({ count: z.number() });

/** A list that is read in pages. */
interface PagedList<Row> {
  readonly row: RowSchema<Row>;
  /** `SELECT … FROM …`, which names the list's table {@link PagedList.alias}. */
  readonly select: Sql;
  /** `FROM …` of the count of all items. */
  readonly from: Sql;
  readonly alias: string;
  /** The column that `filter` searches. */
  readonly filterColumn: string;
  /** The conditions on the list, beside those of its parameters. */
  readonly conditions: readonly Sql[];
  readonly pageSize: number;
}

/**
 * Reads the page of a list that was requested. Adds the total count to the response, as a header, if that was requested.
 *
 * @returns the rows and, unless it is the last page, the token of the next one
 */
export async function readPage<Row extends PagedRow>(
  database: Database,
  { row, select, from, alias, filterColumn, conditions, pageSize }: PagedList<Row>,
  request: PageRequest<ListQuery>,
  reply: FastifyReply,
): Promise<{ readonly rows: readonly Row[]; readonly more: string | undefined }> {
  const { query, parameters, after } = request;
  const listed = [...conditions, ...listConditions(query, alias, filterColumn)];
  const { column, direction } = sortOrders[query.orderBy];
  const order = raw(`${alias}.${column} ${direction}, ${alias}.id ${direction}`);
  const position = raw(`(${alias}.${column}, ${alias}.id) ${direction === 'ASC' ? '>' : '<'}`);
  const ofPage = after
    ? [...listed, sql`${position} (${after.at}::timestamptz, ${after.id}::bigint)`]
    : listed;
  // One row is added, which shows whether there is a next page.
  const found = await database.many(
    row,
    sql`${select} WHERE ${join(ofPage, ' AND ')}
        ORDER BY ${order} LIMIT ${pageSize + 1} ${customPlan}`,
  );
  if (query.includeTotalCount && after === null) {
    const matching = sql`${from} WHERE ${join(listed, ' AND ')} ${customPlan}`;
    const { count } = await database.one(countRow, sql`SELECT count(*) ${matching}`);
    void reply.header('x-total-count', String(count));
  }
  const rows = found.slice(0, pageSize);
  const last = rows.at(-1);
  if (found.length <= pageSize || !last) return { rows, more: undefined };
  const token = {
    query: { ...parameters },
    after: { at: last[column].toISOString(), id: last.id },
  };
  return { rows, more: encodeMore(token) };
}
