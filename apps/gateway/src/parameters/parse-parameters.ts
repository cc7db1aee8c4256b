import { Failure } from '#libs/contracts';
import type * as z from 'zod';
import { accessParameters } from '../access/access-mode.ts';
import { generalParameters, type GivenParameters, single } from './given-parameters.ts';

const alwaysAllowed = new Set([...accessParameters, ...generalParameters]);

/**
 * The parameters of one operation, as its schema describes them.
 *
 * @throws {Failure} `invalid` for a name that the operation does not know (decision 6), and for
 * a value that the schema refuses; the message names parameters and repeats no value
 */
export function parseParameters<Schema extends z.ZodObject>(
  schema: Schema,
  given: GivenParameters,
): z.output<Schema> {
  const names = Object.keys(schema.shape);
  const unknown = [...given.keys()].filter(
    (name) => !names.includes(name) && !alwaysAllowed.has(name),
  );
  if (unknown.length > 0) {
    const listed = unknown.map((name) => JSON.stringify(name.slice(0, 40)));
    throw new Failure('invalid', `unknown parameters: ${listed.slice(0, 5).join(', ')}`);
  }
  const values = Object.fromEntries(names.map((name) => [name, single(given, name)]));
  const parsed = schema.safeParse(values);
  if (parsed.success) return parsed.data;
  const faults = new Set(parsed.error.issues.map((issue) => String(issue.path[0])));
  throw new Failure('invalid', `malformed parameters: ${[...faults].join(', ')}`);
}
