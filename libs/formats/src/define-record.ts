import * as z from 'zod';
import type { Format } from './content-types.ts';
import { type FieldSelection, selectAllFields, selectFields } from './select-fields.ts';

/** A record as a context returns it: parsed by the record's schema. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * Kind of a field's value, which decides how XML and CSV write it. `json` is any JSON value, `records` an array of
 * nested records.
 */
export type FieldKind =
  | 'text'
  | 'integer'
  | 'float'
  | 'boolean'
  | 'datetime'
  | 'json'
  | 'array'
  | 'record'
  | 'records';

export interface Field {
  /** Name of the field with underscores, as in JSON and CSV. */
  readonly name: string;
  /** Name of the field's element in XML. */
  readonly element: string;
  /** Name of the row's property that holds the value. */
  readonly property: string;
  readonly kind: FieldKind;
  /** Fields of a nested record, or of each record of an array; empty for every other kind. */
  readonly fields: readonly Field[];
}

/** Field sets of a record (contract/parameters#template); `public` is the default. */
export const fieldSets = ['public', 'public_minimum', 'extended'] as const;
/** The field names of these sets, and of further ones that a record has. */
type FieldSets = Readonly<Record<string, readonly string[] | undefined>>;

/** Everything that the writers know about a type of record. Created by {@link defineRecord}. */
export interface RecordDefinition {
  /** Singular name, such as `realm-user`: the root element of a single record in XML. */
  readonly element: string;
  /** Plural name, such as `realm-users`: the root element of a list in XML. */
  readonly collection: string;
  readonly schema: z.ZodObject;
  /** Field names of each field set; one of {@link fieldSets} that is missing contains all fields. */
  readonly sets: FieldSets;
  /** Fields of each format, in the order in which they are written. */
  readonly fields: Readonly<Record<Format, readonly Field[]>>;
  /** What a response of each format contains unless a client chooses its fields: those of the set `public`. */
  readonly usual: Readonly<Record<Format, FieldSelection>>;
  /** JSON shows the value of the only field in place of the record. */
  readonly plain: boolean;
  /** The rows of a query, whose columns have positions too; `fields` may give their number. */
  readonly positional: boolean;
  /** Fields that are written only when `fields` names them: those under former names, and others. */
  readonly unlistedFields: readonly Field[];
  /** Names that `fields` can contain and that select nothing. */
  readonly ignoredNames: readonly string[];
}

/**
 * Defines a type of record by its schema in `@registrar/contracts`.
 *
 * @param element singular name, such as `realm-user`
 * @param collection plural name, such as `realm-users`
 * @param options `sets`: the field names of each field set. `xml`: for a record whose XML has
 * fields of its own (contract/courses#xml), the source property of each field by the field's name.
 * `xmlOnly`: properties of the schema that only XML contains. `formerNames`: the property of each
 * field under its former name (contract/parameters#former-fields). `onlyNamed`: properties of the
 * schema that a response contains only when `fields` names them. `ignoredNames`: names that `fields` can
 * contain and that select nothing. `plain`: JSON shows the value of the only field in place of the record
 */
export function defineRecord(
  element: string,
  collection: string,
  schema: z.ZodObject,
  options: {
    sets?: FieldSets;
    xml?: Readonly<Record<string, string>>;
    xmlOnly?: readonly string[];
    formerNames?: Readonly<Record<string, string>>;
    onlyNamed?: readonly string[];
    ignoredNames?: readonly string[];
    plain?: boolean;
  } = {},
): RecordDefinition {
  const all = toFields(z.toJSONSchema(schema));
  const hidden = [...(options.xmlOnly ?? []), ...(options.onlyNamed ?? [])];
  const shared = all.filter(({ name }) => !hidden.includes(name));
  const xml = options.xml ? renamedFields(all, options.xml) : shared;
  const fields = { json: shared, csv: shared, xml };
  const unlistedFields = [
    ...renamedFields(all, options.formerNames ?? {}),
    ...(options.onlyNamed ?? []).map((name) => fieldNamed(all, name)),
  ];
  const { sets = {}, plain = false, ignoredNames = [] } = options;
  const names = { element, collection, ignoredNames };
  return withUsual({ ...names, schema, sets, fields, unlistedFields, plain, positional: false });
}

function withUsual(record: Omit<RecordDefinition, 'usual'>): RecordDefinition {
  const { public: shown } = record.sets;
  const usual = (format: Format) =>
    shown ? selectFields(record, format, shown.join(',')) : selectAllFields(record, format);
  return { ...record, usual: { json: usual('json'), xml: usual('xml'), csv: usual('csv') } };
}

/**
 * Defines the record type of a query's rows by its columns.
 *
 * @param positional JSON also has each value under the number of its column, from 0
 * (contract/stored-queries#former-positions)
 */
export function defineRecordFromColumns(
  element: string,
  collection: string,
  columns: readonly { readonly name: string; readonly kind: FieldKind }[],
  positional = false,
): RecordDefinition {
  const shared = columns.map(({ name, kind }) => toField(name, kind));
  const positions = shared.map((field, index) => ({ ...field, name: String(index) }));
  const json = positional ? [...positions, ...shared] : shared;
  const fields = { json, csv: shared, xml: shared };
  const schema = z.looseObject({});
  const shape = { element, collection, schema, sets: {}, fields };
  return withUsual({ ...shape, unlistedFields: [], ignoredNames: [], plain: false, positional });
}

/** Returns the fields with other names, by the property of each name. */
const renamedFields = (fields: readonly Field[], names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([name, from]) => {
    const field = fieldNamed(fields, from);
    return { ...toField(name, field.kind, field.fields), property: field.property };
  });

function fieldNamed(fields: readonly Field[], name: string): Field {
  const field = fields.find((each) => each.name === name);
  if (!field) throw new Error(`the record has no field '${name}'`);
  return field;
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

const toFields = ({ properties = {} }: JsonSchema): Field[] =>
  Object.entries(properties).map(([name, property]) => {
    const schema = withoutNull(property as JsonSchema);
    const kind = toFieldKind(schema);
    return toField(name, kind, nestedFields(kind, schema));
  });

function nestedFields(kind: FieldKind, schema: JsonSchema): Field[] {
  if (kind === 'record') return toFields(schema);
  return kind === 'records' ? toFields(schema.items as JsonSchema) : [];
}

const toField = (name: string, kind: FieldKind, fields: readonly Field[] = []): Field => ({
  name,
  element: xmlName(name),
  property: name,
  kind,
  fields,
});

/**
 * Turns a field's name into an element's name: hyphens for underscores. Columns of stored queries
 * may have names that XML does not allow.
 */
const xmlName = (name: string) =>
  name
    .replaceAll('_', '-')
    .replace(/[^\p{L}\p{N}.-]/gu, '-')
    .replace(/^(?!\p{L})/u, 'column-');

/** Returns the schema of `T` for a nullable `T`. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const alternatives = schema.anyOf?.filter((each) => each.type !== 'null');
  const [only, ...others] = alternatives ?? [];
  return only && others.length === 0 ? only : schema;
}

const kindsByJsonType: Readonly<Record<string, FieldKind>> = {
  string: 'text',
  integer: 'integer',
  number: 'float',
  boolean: 'boolean',
  array: 'array',
  object: 'record',
};

function toFieldKind({ type, format, items }: JsonSchema): FieldKind {
  if (format === 'date-time') return 'datetime';
  if (type === 'array' && (items as JsonSchema | undefined)?.type === 'object') return 'records';
  const name = Array.isArray(type) ? type.find((each) => each !== 'null') : type;
  return kindsByJsonType[name ?? ''] ?? 'json';
}
