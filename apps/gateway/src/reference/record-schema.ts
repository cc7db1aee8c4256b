import type { Field, RecordDefinition } from '@registrar/formats';
import * as z from 'zod';
import type { Operation } from '../operations/operation.ts';
import { examplesOf } from './examples.ts';

/** A JSON Schema (2020-12), as OpenAPI 3.1 uses it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The schema of a record. */
interface RecordSchema {
  readonly type: 'object';
  readonly description?: string;
  readonly properties?: JsonSchema;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema;
  /** A recorded record. */
  examples?: readonly unknown[];
}

/** The schemas of all records by their names. */
export type RecordSchemas = Readonly<Record<string, RecordSchema>>;

/** The names of records that differ too much from others with the same element in XML. */
const ownNames: Readonly<Record<string, string>> = {
  'api_key delete': 'DeletedApiKey',
  'invitation add_learners': 'AddedLearners',
};

/** Nested records that are records of another resource. */
const nestedNames: Readonly<Record<string, string>> = { registrations: 'Registration' };

/** JSON values whose form the contract describes: of a learner, of a course (contract/invitations#add-registration-guids). */
const jsonSchemas: Readonly<Record<string, JsonSchema>> = {
  registration_guids: mapOf(
    mapOf({
      type: 'object',
      properties: { title: { type: 'string' }, registration_guid: { type: 'string' } },
      required: ['title', 'registration_guid'],
    }),
  ),
};

function mapOf(additionalProperties: JsonSchema): JsonSchema {
  return { type: 'object', additionalProperties };
}

/** A row of a stored query, whose columns only its result shows. */
const queryRow = 'QueryRow';

const variantsOf = ({ record, recordVariants }: Operation): readonly RecordDefinition[] =>
  recordVariants ?? (record && typeof record !== 'function' ? [record] : []);

/** The name of the record that an operation returns: `ApiKey`. */
function recordName(operation: Operation): string {
  const [variant] = variantsOf(operation);
  const words = variant?.element.split('-') ?? [];
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return ownNames[operation.name] ?? (variant ? name : queryRow);
}

/**
 * The recorded responses of an operation by their variant, without those that `fields` has limited. A response
 * without an example of its own has that of its record.
 */
export function completeExamples(operation: Operation, schemas: RecordSchemas): JsonSchema {
  const { required = [] } = schemas[recordName(operation)] ?? {};
  const isComplete = (record: unknown) =>
    typeof record !== 'object' || required.every((name) => Object.hasOwn(record ?? {}, name));
  return Object.fromEntries(
    Object.entries(examplesOf(operation.name)).filter(([, answer]) =>
      [answer].flat().every(isComplete),
    ),
  );
}

/** The schema of the record that an operation returns: a reference, or a text in place of a record. */
export function responseRecord(operation: Operation): JsonSchema {
  const [variant] = variantsOf(operation);
  if (!variant?.plain) return schemaReference(recordName(operation));
  const [field] = variant.fields.json;
  return field ? fieldSchema(field, propertiesOf(z.toJSONSchema(variant.schema))) : {};
}

const schemaReference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/**
 * The schemas of all records, one for each. A property is required if every response shows it that has neither
 * `fields` nor a field set; a record whose fields depend on parameters has all of them.
 */
export function recordSchemas(operations: readonly Operation[]): RecordSchemas {
  const variants = new Map<string, Set<RecordDefinition>>();
  for (const operation of operations) {
    const given = variantsOf(operation).filter(({ plain }) => !plain);
    const name = recordName(operation);
    const known = variants.get(name) ?? new Set();
    if (given.length > 0) variants.set(name, new Set([...known, ...given]));
  }
  const schemas: Record<string, RecordSchema> = {
    ...Object.fromEntries([...variants].map(([name, each]) => [name, mergedSchema([...each])])),
    [queryRow]: {
      type: 'object',
      additionalProperties: {},
      description: 'The columns of a stored query by their names.',
    },
  };
  for (const operation of operations) {
    const [record] = Object.values(completeExamples(operation, schemas)).flat();
    const schema = schemas[recordName(operation)];
    if (schema && typeof record === 'object') schema.examples ??= [record];
  }
  return schemas;
}

function mergedSchema(variants: readonly RecordDefinition[]): RecordSchema {
  const schemas = variants.map((variant) => ({
    shown: variant.fields.json,
    byDefault: variant.fields.json.filter(
      ({ name }) => variant.sets.public?.includes(name) ?? true,
    ),
    unlisted: variant.unlistedFields,
    properties: propertiesOf(z.toJSONSchema(variant.schema)),
  }));
  const merged = new Map<string, JsonSchema[]>();
  const add = (name: string, schema: JsonSchema) => {
    const known = merged.get(name) ?? [];
    const isKnown = known.some((each) => JSON.stringify(each) === JSON.stringify(schema));
    merged.set(name, isKnown ? known : [...known, schema]);
  };
  for (const { shown, properties } of schemas) {
    for (const field of shown) add(field.name, fieldSchema(field, properties));
  }
  const listed = new Set(merged.keys());
  for (const { unlisted, properties } of schemas) {
    for (const field of unlisted.filter(({ name }) => !listed.has(name))) {
      const description = unlistedDescription(field);
      const schema = fieldSchema(field, properties);
      if (!merged.has(field.name)) add(field.name, { ...schema, description });
    }
  }
  const required = [...merged.keys()].filter((name) =>
    schemas.every(({ byDefault }) => byDefault.some((field) => field.name === name)),
  );
  return {
    type: 'object',
    properties: Object.fromEntries(
      [...merged].map(([name, [first = {}, ...others]]) => [
        name,
        others.length === 0
          ? first
          : { anyOf: nullInType(distinct([first, ...others].flatMap(alternatives))) },
      ]),
    ),
    ...(required.length > 0 && { required }),
  };
}

const unlistedDescription = ({ name, property }: Field) =>
  name === property
    ? 'Shown only when `fields` names it.'
    : `A former name of \`${property}\`, shown only when \`fields\` names it.`;

type Properties = Readonly<Record<string, JsonSchema>>;

const propertiesOf = (schema: JsonSchema): Properties => (schema['properties'] ?? {}) as Properties;

function fieldSchema(field: Field, properties: Properties): JsonSchema {
  const described = properties[field.property] ?? {};
  if (field.kind === 'json') return jsonSchemas[field.name] ?? { description: 'Any JSON value.' };
  if (field.kind !== 'record') return returnedValue(described);
  const isNullable = alternatives(described).some(({ type }) => type === 'null');
  const [inner = described] = alternatives(described).filter(({ type }) => type !== 'null');
  const name = nestedNames[field.name];
  const record = name ? schemaReference(name) : nestedSchema(field.fields, propertiesOf(inner));
  return isNullable ? { anyOf: [record, { type: 'null' }] } : record;
}

function nestedSchema(fields: readonly Field[], properties: Properties): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(
      fields.map((field) => [field.name, fieldSchema(field, properties)]),
    ),
    required: fields.map(({ name }) => name),
  };
}

/**
 * The schema of a value that the service returns, without what only repeats a format or the range of safe integers,
 * and with null among the types.
 */
function returnedValue({ pattern: _, anyOf, ...described }: JsonSchema): JsonSchema {
  const { minimum: _min, maximum: _max, ...rest } = described;
  if (!anyOf) return described['type'] === 'integer' ? rest : described;
  const [only = {}, ...others] = (anyOf as JsonSchema[])
    .filter(({ type }) => type !== 'null')
    .map(returnedValue);
  if (others.length > 0) return { anyOf: (anyOf as JsonSchema[]).map(returnedValue) };
  const { type, enum: values, ...limits } = only;
  const nullable = values ? { enum: [...(values as unknown[]), null] } : {};
  return { type: [type, 'null'], ...nullable, ...limits };
}

const alternatives = (described: JsonSchema) =>
  (described['anyOf'] as JsonSchema[] | undefined) ?? [described];

const distinct = (schemas: readonly JsonSchema[]) => [
  ...new Map(schemas.map((each) => [JSON.stringify(each), each])).values(),
];

/**
 * Alternatives with null as a type of the first one that has a type: in an alternative of its own, converters to
 * OpenAPI 3.0 do not know it (docs/clients.md#perl).
 */
export function nullInType(schemas: readonly JsonSchema[]): readonly JsonSchema[] {
  const others = schemas.filter(({ type }) => type !== 'null');
  const place = others.findIndex(({ type }) => typeof type === 'string');
  const typed = others[place];
  return others.length === schemas.length || !typed
    ? schemas
    : others.with(place, { ...typed, type: [typed['type'], 'null'] });
}
