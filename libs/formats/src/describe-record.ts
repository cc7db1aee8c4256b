import * as z from 'zod';
import type { Format } from './content-types.ts';

/** A record as it comes from a context: what its schema has parsed. */
export type Row = Readonly<Record<string, unknown>>;

/** What a field holds, which decides how XML and CSV write it. `json` is any JSON value. */
export type FieldKind =
  'text' | 'integer' | 'float' | 'boolean' | 'datetime' | 'json' | 'array' | 'record';

export interface Field {
  /** The field's name with underscores, as JSON and CSV show it. */
  readonly name: string;
  /** The name of the row's property that holds the value. */
  readonly from: string;
  readonly kind: FieldKind;
  /** The fields of a nested record; empty for every other kind. */
  readonly fields: readonly Field[];
}

/** The field sets of a record (decision 17): `public` is shown unless another one is asked for. */
export const fieldSets = ['public', 'public_minimum', 'extended'] as const;
export type FieldSet = (typeof fieldSets)[number];
type FieldSets = Readonly<Partial<Record<FieldSet, readonly string[]>>>;

/** All that the writers need to know of a kind of record. Made with {@link describeRecord}. */
export interface RecordDescription {
  /** The name of one record, such as `realm-user`: the root of a single record in XML. */
  readonly element: string;
  /** The root of a list of them in XML, such as `realm-users`. */
  readonly collection: string;
  readonly schema: z.ZodObject;
  /** The names of the fields in each field set; a set that is missing has all of them. */
  readonly sets: FieldSets;
  /** The fields in each format, in the order in which they are written. */
  readonly fields: Readonly<Record<Format, readonly Field[]>>;
}

/**
 * Describes a record by the schema that the contexts use for it.
 *
 * @param more `sets`: the fields of its field sets; `xml`: for a record whose XML
 * form has a field set of its own (decision 8), the names of its fields and, for each, the
 * property that it is made from; properties that only XML shows are in `xmlOnly`
 */
export function describeRecord(
  element: string,
  collection: string,
  schema: z.ZodObject,
  more: {
    sets?: FieldSets;
    xml?: Readonly<Record<string, string>>;
    xmlOnly?: readonly string[];
  } = {},
): RecordDescription {
  const all = fieldsOf(z.toJSONSchema(schema));
  const own = all.filter(({ name }) => !more.xmlOnly?.includes(name));
  const xml = more.xml
    ? Object.entries(more.xml).map(([name, from]) => ({ ...the(all, from), name }))
    : own;
  const fields = { json: own, csv: own, xml };
  return { element, collection, schema, sets: more.sets ?? {}, fields };
}

/** Describes the rows of a query by its columns. */
export function describeColumns(
  element: string,
  collection: string,
  columns: readonly { readonly name: string; readonly kind: FieldKind }[],
): RecordDescription {
  const own = columns.map(({ name, kind }) => ({ name, from: name, kind, fields: [] }));
  const fields = { json: own, csv: own, xml: own };
  return { element, collection, schema: z.looseObject({}), sets: {}, fields };
}

function the(fields: readonly Field[], name: string): Field {
  const field = fields.find((each) => each.name === name);
  if (!field) throw new Error(`the record has no field ${name}`);
  return field;
}

type Described = z.core.JSONSchema.BaseSchema;

const fieldsOf = ({ properties = {} }: Described): Field[] =>
  Object.entries(properties).map(([name, property]) => {
    const described = withoutNull(property as Described);
    const kind = kindOf(described);
    return { name, from: name, kind, fields: kind === 'record' ? fieldsOf(described) : [] };
  });

/** `T` of a nullable `T`. */
function withoutNull(described: Described): Described {
  const alternatives = described.anyOf?.filter((each) => each.type !== 'null');
  const [only, ...others] = alternatives ?? [];
  return only && others.length === 0 ? only : described;
}

const kinds: Readonly<Record<string, FieldKind>> = {
  string: 'text',
  integer: 'integer',
  number: 'float',
  boolean: 'boolean',
  array: 'array',
  object: 'record',
};

function kindOf({ type, format }: Described): FieldKind {
  if (format === 'date-time') return 'datetime';
  const name = Array.isArray(type) ? type.find((each) => each !== 'null') : type;
  return kinds[name ?? ''] ?? 'json';
}
