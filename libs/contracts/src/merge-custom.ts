import * as z from 'zod';
import { Failure } from './failure.ts';
import { isShallowJson, maxJsonDepth } from './json-nesting.ts';
import { textLimits } from './text-limits.ts';

/** A JSON object. */
export type JsonObject = Readonly<Record<string, z.core.util.JSONType>>;

/** The values that a request merges into user-defined data (contract/parameters#custom-merge). */
export const customMerge = z.object({
  /** The member of `custom` that holds the values; null for `custom` itself (contract/compatibility#gcustom-without-key). */
  key: z.string().min(1).max(255).nullable(),
  values: z.record(z.string(), z.json()),
});

/** User-defined JSON data of a record (contract/parameters#custom-length). */
export const customJson = z.custom<z.core.util.JSONType>(
  (value) =>
    value !== undefined &&
    isShallowJson(value as z.core.util.JSONType) &&
    JSON.stringify(value).length <= textLimits.custom,
  { error: `expected JSON of at most ${textLimits.custom} characters and ${maxJsonDepth} levels` },
);

/** User-defined text of a record; null for none, or to leave it as it is. */
export const customText = z.string().max(textLimits.custom).nullable();

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
 * Merges values into user-defined data, below a key or at the top. Objects are merged, all other values replaced.
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
  const added = key === null ? values : Object.fromEntries([[key, values]]);
  const merged = merge(custom ?? {}, added) as JsonObject;
  if (JSON.stringify(merged).length > textLimits.custom) {
    throw new Failure('invalid', `custom is longer than ${textLimits.custom} characters`);
  }
  return merged;
}
