import * as z from 'zod';

/** The shape of run-time data, as it is stored. */
export const runtimeTree = z.record(z.string(), z.json());

/**
 * The run-time data of a SCO in the data model of its standard: the tree under `cmi`, with lists as
 * objects from index to entry. Stored unchanged, because the next session resumes from it.
 */
export const runtimeData = z
  .record(z.string().max(64), z.json())
  .transform((data) => storable(data) as typeof data);
export type RuntimeData = z.infer<typeof runtimeData>;

/** Whether content has reported run-time data. */
export const hasRuntime = (runtime: RuntimeData): boolean => Object.keys(runtime).length > 0;

/**
 * Removes NUL and unpaired surrogates, which PostgreSQL cannot store: content may truncate its text
 * in the middle of a character.
 */
function storable(value: Json): Json {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [storableText(name), storable(inner)]),
  );
}

const storableText = (text: string) => text.replaceAll('\0', '').toWellFormed();

type Json = z.core.util.JSONType;

/** The completion of a SCO as its content reports it. */
export type CompletionStatus = 'UNKNOWN' | 'NOT_ATTEMPTED' | 'INCOMPLETE' | 'COMPLETED' | 'BROWSED';

/** Text. Content can store any value in an element: one that is not text is read as empty. */
export const text = z.string().catch('');

/** A decimal number, stored as text; null if it is malformed. */
export const decimal = z
  .string()
  .regex(/^[+-]?\d+(\.\d*)?$/)
  .transform(Number)
  .nullable()
  .catch(null);

/** A record; any other value is read as an empty one. */
export function recordOf<Shape extends z.core.$ZodShape>(shape: Shape) {
  const schema = z.object(shape);
  return schema.catch(() => schema.parse({}));
}

/** A list, stored as an object from index to entry; any other value is read as an empty one. */
export const listOf = <Entry extends z.ZodType>(entry: Entry) =>
  z
    .record(z.string(), entry)
    .catch({})
    .transform((list) => Object.values(list));

/** The ids of a list of entries with an `id`. */
export const idList = listOf(z.object({ id: text }).transform(({ id }) => id));

/** The patterns of a list of correct responses. */
export const patternList = listOf(z.object({ pattern: text }).transform(({ pattern }) => pattern));
