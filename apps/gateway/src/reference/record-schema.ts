import type { Field, RecordDescription } from '#libs/formats';
import * as z from 'zod';

/** A part of a JSON Schema (2020-12), as OpenAPI 3.1 takes it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * What a record looks like in JSON. No property is required: `fields` and the field sets leave
 * some out.
 */
export const recordSchema = (record: RecordDescription): JsonSchema =>
  objectSchema(record.fields.json, z.toJSONSchema(record.schema));

function objectSchema(fields: readonly Field[], described: JsonSchema): JsonSchema {
  const properties = described['properties'] as Readonly<Record<string, JsonSchema>>;
  return {
    type: 'object',
    properties: Object.fromEntries(
      fields.map((field) => [field.name, fieldSchema(field, properties[field.from] ?? {})]),
    ),
    additionalProperties: false,
  };
}

function fieldSchema(field: Field, described: JsonSchema): JsonSchema {
  if (field.kind === 'json') return { description: 'Any JSON value.' };
  if (field.kind !== 'record') return plain(described);
  const [inner] = alternatives(described).filter((each) => each['type'] !== 'null');
  return { anyOf: [objectSchema(field.fields, inner ?? described), { type: 'null' }] };
}

/** The schema of a value without the patterns that only repeat its format. */
function plain({ pattern: _, anyOf, ...described }: JsonSchema): JsonSchema {
  return anyOf ? { anyOf: (anyOf as JsonSchema[]).map(plain) } : described;
}

const alternatives = (described: JsonSchema) =>
  (described['anyOf'] as JsonSchema[] | undefined) ?? [described];
