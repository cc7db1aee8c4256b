import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';

/**
 * The shape of a row as pg returns it: `z.date()` for timestamps, numbers for integers of any size,
 * strings for `numeric`. It has no transforms, coercions or defaults, because rows are returned as
 * they are.
 */
export type RowSchema<Row> = z.ZodType<Row>;

const strict = new WeakMap<z.ZodType, z.ZodType>();

/** Throws an error unless each row has exactly the columns of the schema, with values that fit. */
export function checkRows(schema: z.ZodType, rows: readonly unknown[], text: string): void {
  const exact = strictOf(schema);
  for (const row of rows) {
    const result = exact.safeParse(row);
    const problem = !result.success
      ? z.prettifyError(result.error)
      : isDeepStrictEqual(result.data, row)
        ? null
        : 'the row schema changes values';
    if (problem !== null) throw new Error(`a row does not match its schema: ${problem}\n${text}`);
  }
}

function strictOf(schema: z.ZodType): z.ZodType {
  let exact = strict.get(schema);
  if (!exact) {
    exact = schema instanceof z.ZodObject && !schema.def.catchall ? schema.strict() : schema;
    strict.set(schema, exact);
  }
  return exact;
}
