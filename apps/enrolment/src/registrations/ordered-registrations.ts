import {
  type AccessScope,
  completion,
  type RegistrationFilters,
  type RegistrationSort,
  success,
} from '@registrar/contracts';
import {
  customPlan,
  decodeCursor,
  empty,
  encodeCursor,
  fromCursor,
  join,
  sql,
  type Sql,
  toCursor,
} from '@registrar/persistence';
import { reachedByApplication } from '../access-rules.ts';
import { firstIdSince } from './first-id-since.ts';
import {
  hasPatterns,
  type SelectionOptions,
  selectionConditions,
  selectRegistrations,
} from './select-registrations.ts';

/** A row of a list, as far as its position is concerned. */
interface OrderedRow {
  readonly id: number;
  readonly updated_micros: number;
}

/** SQL of the id of `registrations AS r`. */
const idColumn = sql`r.id`;

/** The order of a list of registrations, and its positions (contract/registrations#sort). */
interface RegistrationOrder {
  /** SQL of the order, by columns of rows of `registrations`. */
  readonly order: Sql;
  /** The same of rows of `registrations AS r`. */
  readonly orderOfR: Sql;
  /** SQL of the time of `registrations AS r` in a cursor: microseconds since the epoch; 0 where the order has no times. */
  readonly updatedMicros: Sql;
  /**
   * Returns the order of rows of one provider application, by the columns of an index.
   *
   * @param id SQL of the id of `registrations AS r` in that index: {@link idColumn} or an expression
   */
  readonly orderInApplication: (id: Sql) => Sql;
  /** Whether the order is that of `updated_at`. */
  readonly byUpdate: boolean;
  /** The cursor of the page after a row. */
  readonly cursorAfter: (row: OrderedRow) => string;
  /**
   * Returns the SQL condition on `registrations AS r` that is true for the rows after a cursor.
   *
   * @param id SQL of the id, as in {@link orderInApplication}
   * @throws {Failure} `invalid` for a cursor of another order
   */
  readonly after: (cursor: string | null, id: Sql) => Sql;
}

const byId = { updatedMicros: sql`0`, byUpdate: false };

/** The order of lists unless a client chooses another one. */
const usualOrder: RegistrationOrder = {
  ...byId,
  order: sql`id`,
  orderOfR: sql`r.id`,
  orderInApplication: (id) => sql`r.provider_application_id, ${id}`,
  cursorAfter: ({ id }) => encodeCursor(id),
  after: (cursor, id) => sql`${id} > ${decodeCursor(cursor)}`,
};

const byIdDescending: RegistrationOrder = {
  ...byId,
  order: sql`id DESC`,
  orderOfR: sql`r.id DESC`,
  orderInApplication: (id) => sql`r.provider_application_id DESC, ${id} DESC`,
  cursorAfter: ({ id }) => toCursor(`-id ${id}`),
  after: (cursor, id) =>
    cursor === null ? sql`true` : sql`${id} < ${Number(fromCursor(cursor, /^-id (\d{1,15})$/)[0])}`,
};

/** The id breaks ties of rows that one transaction has updated. */
const byUpdate = (sort: 'updated_at' | '-updated_at'): RegistrationOrder => {
  const [direction, isAfter] = sort === 'updated_at' ? [sql`ASC`, sql`>`] : [sql`DESC`, sql`<`];
  const form = new RegExp(`^${sort} (\\d{1,15}|[1-8]\\d{15}) (\\d{1,15})$`);
  return {
    order: sql`updated_at ${direction}, id ${direction}`,
    orderOfR: sql`r.updated_at ${direction}, r.id ${direction}`,
    orderInApplication: (id) =>
      sql`r.provider_application_id ${direction}, r.updated_at ${direction}, ${id} ${direction}`,
    updatedMicros: sql`(extract(epoch FROM r.updated_at) * 1000000)::bigint`,
    byUpdate: true,
    cursorAfter: ({ id, updated_micros }) => toCursor(`${sort} ${updated_micros} ${id}`),
    after: (cursor, id) => {
      if (cursor === null) return sql`true`;
      const [micros, lastId] = fromCursor(cursor, form).map(Number);
      const time = sql`timestamptz 'epoch' + ${micros} * interval '1 microsecond'`;
      return sql`(r.updated_at, ${id}) ${isAfter} (${time}, ${lastId})`;
    },
  };
};

/** The orders by the values of the parameter `sort`. */
export const registrationOrders: Readonly<Record<RegistrationSort, RegistrationOrder>> = {
  id: usualOrder,
  '-id': byIdDescending,
  updated_at: byUpdate('updated_at'),
  '-updated_at': byUpdate('-updated_at'),
};

/** The part of a list that a page needs, beside the filters. */
interface ListPart extends SelectionOptions {
  readonly cursor: string | null;
  /** As many rows as the page reads. */
  readonly rows: number;
}

/** The id in `registrations_by_result`, which no other index offers as an order. */
const idByResult = sql`(r.id + 0)`;

/** Whether the filters name few rows, or rows that are not found in the order of a list: by a regular expression. */
function isFoundByKey(scope: AccessScope, filters: RegistrationFilters): boolean {
  const { learnerId, registrationGuid } = filters;
  return Boolean(learnerId ?? registrationGuid ?? scope.user) || hasPatterns(filters);
}

const hasNoRange = ({ complete, success, updatedSince, createdSince }: RegistrationFilters) =>
  (complete ?? success ?? updatedSince ?? createdSince) === undefined;

/**
 * Returns a query for the rows of a page of a list of registrations, or a few more, without an order.
 *
 * Several provider applications, and the values of `complete` and `success`, are read one by one in the order of the
 * list, each up to the size of the page: `registrations_by_result` and `registrations_by_update` hold the rows of each in
 * that order. So a page costs as much in a table of any size, whichever part of it the filters name.
 *
 * @throws {Failure} `unauthenticated` when a user-bound key names another learner; `invalid` for a cursor of another
 * order
 */
export function orderedRegistrations(
  scope: AccessScope,
  filters: RegistrationFilters,
  order: RegistrationOrder,
  { cursor, rows, ...options }: ListPart,
): Sql {
  const isUsual = order === usualOrder && hasNoRange(filters);
  if (options.lastOnly || isUsual || isFoundByKey(scope, filters)) {
    const selected = selectRegistrations(scope, filters, options);
    return sql`SELECT r.* FROM (${selected}) AS r WHERE ${order.after(cursor, idColumn)}`;
  }
  const { applications, conditions: reached } = reachedByApplication(scope);
  const byResult = order.byUpdate || (filters.complete ?? filters.success) !== undefined;
  const id = byResult && !order.byUpdate ? idByResult : idColumn;
  const { createdSince } = filters;
  const results = sql`
    CROSS JOIN unnest(${filters.complete ? [filters.complete] : completion.options}::text[]) AS c (complete)
    CROSS JOIN unnest(${filters.success ? [filters.success] : success.options}::text[]) AS s (success)`;
  const conditions = [
    ...reached,
    ...(byResult ? [sql`r.complete = c.complete`, sql`r.success = s.success`] : []),
    ...selectionConditions({ ...filters, complete: undefined, success: undefined }, options),
    // What was created since a time was updated since then.
    ...(createdSince && order.byUpdate ? [sql`r.updated_at >= ${createdSince}`] : []),
    ...(createdSince && !order.byUpdate ? [sql`${id} >= ${firstIdSince(createdSince)}`] : []),
    order.after(cursor, id),
  ];
  return sql`
    SELECT r.* FROM ${applications} ${byResult ? results : empty}
    CROSS JOIN LATERAL (
      SELECT r.* FROM registrations AS r
      WHERE ${join(conditions, ' AND ')}
      ORDER BY ${order.orderInApplication(id)} LIMIT ${rows}
    ) AS r ${customPlan}`;
}
