import type { RegistrationSort } from '@registrar/contracts';
import {
  decodeCursor,
  encodeCursor,
  fromCursor,
  sql,
  type Sql,
  toCursor,
} from '@registrar/persistence';

/** A row of a list, as far as its position is concerned. */
interface OrderedRow {
  readonly id: number;
  readonly updated_micros: number;
}

/** SQL of the id of `registrations AS r`. */
export const idColumn = sql`r.id`;

/** The order of a list of registrations, and its positions (contract/registrations#sort). */
export interface RegistrationOrder {
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
export const usualOrder: RegistrationOrder = {
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
