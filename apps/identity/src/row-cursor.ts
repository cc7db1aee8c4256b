import { Failure } from '@registrar/contracts';
import type * as z from 'zod';

/** The cursor after a row: the values by which its list is sorted. */
export const encodeRowCursor = (values: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(values)).toString('base64url');

/**
 * Reads the values of {@link encodeRowCursor}.
 *
 * @throws {Failure} `invalid`
 */
export function parseRowCursor<Values extends z.ZodType>(
  cursor: string,
  values: Values,
): z.output<Values> {
  try {
    return values.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    throw new Failure('invalid', 'malformed cursor');
  }
}
