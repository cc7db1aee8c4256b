import type { Field, RecordDefinition } from '@registrar/formats';
import * as z from 'zod';

/** A JSON Schema (2020-12), as OpenAPI 3.1 uses it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The JSON Schema of a record. No property is required, because `fields` and the field sets leave
 * some out.
 */
export function recordSchema(record: RecordDefinition): JsonSchema {
  const described = z.toJSONSchema(record.schema);
  const schema = objectSchema(record.fields.json, described);
  const properties = schema['properties'] as Record<string, JsonSchema>;
  const [only] = Object.values(properties);
  if (record.plain && only) return only;
  const onlyNamed = objectSchema(record.unlistedFields.filter(isOnlyNamed), described);
  const named = Object.entries(onlyNamed['properties'] as Record<string, JsonSchema>);
  const description = 'Shown only when `fields` names it.';
  return {
    ...schema,
    properties: {
      ...properties,
      ...Object.fromEntries(named.map(([name, field]) => [name, { ...field, description }])),
    },
  };
}

/** Whether a field is shown when `fields` names it, and is none under a former name. */
const isOnlyNamed = ({ name, property }: Field) => name === property;

function objectSchema(fields: readonly Field[], described: JsonSchema): JsonSchema {
  const properties = described['properties'] as Readonly<Record<string, JsonSchema>>;
  return {
    type: 'object',
    properties: Object.fromEntries(
      fields.map((field) => [field.name, fieldSchema(field, properties[field.property] ?? {})]),
    ),
    additionalProperties: false,
  };
}

function fieldSchema(field: Field, described: JsonSchema): JsonSchema {
  if (field.kind === 'json') return { description: 'Any JSON value.' };
  if (field.kind !== 'record') return withoutPattern(described);
  const [inner] = alternatives(described).filter((each) => each['type'] !== 'null');
  return { anyOf: [objectSchema(field.fields, inner ?? described), { type: 'null' }] };
}

/** The schema of a value without patterns, which only repeat its format. */
function withoutPattern({ pattern: _, anyOf, ...described }: JsonSchema): JsonSchema {
  return anyOf ? { anyOf: (anyOf as JsonSchema[]).map(withoutPattern) } : described;
}

const alternatives = (described: JsonSchema) =>
  (described['anyOf'] as JsonSchema[] | undefined) ?? [described];
