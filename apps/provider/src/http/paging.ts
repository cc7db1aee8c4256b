import { BadRequestException } from '@nestjs/common';
import * as z from 'zod';

/** The orders of a list, and the column of each. Ids break ties, in the same direction. */
export const orders = {
  created_asc: { column: 'created_at', direction: 'ASC' },
  created_desc: { column: 'created_at', direction: 'DESC' },
  updated_asc: { column: 'updated_at', direction: 'ASC' },
  updated_desc: { column: 'updated_at', direction: 'DESC' },
} as const;
export const orderBy = z.enum(Object.keys(orders) as [keyof typeof orders]).default('created_desc');

/** Which point in time `since` and `until` are about. */
export const datetimeFilters = { created: 'created_at', updated: 'updated_at' } as const;

/** Where a page ended: the next one begins after it. */
export interface Position {
  readonly at: string;
  readonly id: number;
}
const position = z.object({ at: z.iso.datetime(), id: z.int().max(2_147_483_647) });

/**
 * The token that asks for the next page. It carries the whole query, so that it is all a client
 * has to send.
 */
export const encodeMore = (query: Readonly<Record<string, string>>, after: Position): string =>
  Buffer.from(JSON.stringify({ query, after })).toString('base64url');

const moreToken = z.object({ query: z.record(z.string(), z.string()), after: position });

/**
 * The query of a list request, and where its page begins: from the `more` token where there is
 * one, which leaves all other parameters without effect.
 */
export function pageQuery(given: unknown): {
  query: Readonly<Record<string, string>>;
  after: Position | null;
} {
  const query = z.record(z.string(), z.string()).safeParse(given ?? {});
  if (!query.success) throw new BadRequestException('A parameter is given more than once.');
  const { more } = query.data;
  if (more === undefined) return { query: query.data, after: null };
  try {
    return moreToken.parse(JSON.parse(Buffer.from(more, 'base64url').toString('utf8')));
  } catch {
    throw new BadRequestException('more: not a token of this list');
  }
}

/** SQL text with its parameters, put together piece by piece. */
export class Conditions {
  readonly parameters: unknown[] = [];
  readonly #parts: string[] = [];

  /** Adds a condition; `$` stands for the value's place, and an undefined value for no condition. */
  add(condition: string, value: unknown): this {
    if (value === undefined) return this;
    const place = this.parameter(value);
    this.#parts.push(condition.replaceAll('$', () => place));
    return this;
  }

  /** The rows after a position, in an order. */
  after(position: Position | null, alias: string, order: keyof typeof orders): this {
    if (!position) return this;
    const { column, direction } = orders[order];
    const place = `(${this.parameter(position.at)}::timestamptz, ${this.parameter(position.id)}::integer)`;
    this.#parts.push(
      `(${alias}.${column}, ${alias}.id) ${direction === 'ASC' ? '>' : '<'} ${place}`,
    );
    return this;
  }

  get text(): string {
    return this.#parts.join(' AND ');
  }

  private parameter(value: unknown): string {
    this.parameters.push(value);
    return `$${this.parameters.length}`;
  }
}

/** `ORDER BY` and `LIMIT` of a page that takes one row more than it shows. */
export const pageClause = (alias: string, order: keyof typeof orders, size: number): string => {
  const { column, direction } = orders[order];
  return `ORDER BY ${alias}.${column} ${direction}, ${alias}.id ${direction} LIMIT ${size + 1}`;
};

/** The rows of a page and, where one more was found, the token for the next page. */
export function pageOf<Row extends { id: number; created_at: Date; updated_at: Date }>(
  rows: readonly Row[],
  size: number,
  query: Readonly<Record<string, string>>,
  order: keyof typeof orders,
): { rows: Row[]; more: string | undefined } {
  const shown = rows.slice(0, size);
  const last = shown.at(-1);
  if (rows.length <= size || !last) return { rows: shown, more: undefined };
  const at = last[orders[order].column].toISOString();
  return { rows: shown, more: encodeMore(query, { at, id: last.id }) };
}
