import * as z from 'zod';
import { Failure } from './failure.ts';

/** A JSON object. */
export type JsonObject = Readonly<Record<string, z.core.util.JSONType>>;

/** The values that a request merges into user-defined data (contract/parameters#custom-merge). */
export const customMerge = z.object({
  /** The member of `custom` that holds the values. */
  key: z.string().min(1).max(255),
  values: z.record(z.string(), z.json()),
});

/** The maximum length of merged user-defined data as JSON text, in characters. */
const maxLength = 65_536;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Own properties only: a name such as `__proto__` is a name like any other. */
function merge(present: z.core.util.JSONType, added: z.core.util.JSONType): z.core.util.JSONType {
  if (!isObject(present) || !isObject(added)) return added;
  const members = new Map(Object.entries(present));
  for (const [name, value] of Object.entries(added)) {
    const before = members.get(name);
    members.set(name, before === undefined ? value : merge(before, value));
  }
  return Object.fromEntries(members);
}

/**
 * Merges values into user-defined data, below a key. Objects are merged, all other values replaced.
 *
 * @throws {Failure} `invalid` when the data are no JSON object, and when they become too long
 */
export function mergeCustom(
  custom: z.core.util.JSONType,
  { key, values }: z.output<typeof customMerge>,
): JsonObject {
  if (custom !== null && !isObject(custom)) {
    throw new Failure('invalid', 'custom is not a JSON object');
  }
  const merged = merge(custom ?? {}, Object.fromEntries([[key, values]])) as JsonObject;
  if (JSON.stringify(merged).length > maxLength) {
    throw new Failure('invalid', `custom is longer than ${maxLength} characters`);
  }
  return merged;
}
