import { edges } from './components.ts';

type Schema = Record<string, unknown>;

const host = String.raw`[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+`;

/** Values that must have a form. */
const forms: Readonly<Record<string, Schema>> = {
  edge: { enum: edges },
  publicHost: { type: 'string', pattern: `^${host}(:[0-9]+)?$` },
  contentHost: { type: 'string', pattern: String.raw`^\*\.${host}(:[0-9]+)?$` },
  runbooks: { type: 'string', pattern: '^https?://[^"\\s]+$' },
  'image.repository': { type: 'string', pattern: '^[a-z0-9][a-z0-9._:/-]*$' },
  'image.tag': { type: 'string', pattern: '^[A-Za-z0-9_][A-Za-z0-9._-]*$' },
  'image.digest': { type: 'string', pattern: '^(sha256:[0-9a-f]{64})?$' },
  'database.sharedBuffers': { type: 'string' },
};

/** Parts of objects that may have other fields than their defaults; Kubernetes checks these. */
const open = /resources$|^secretStore\.provider$|storage$|persistence$|^certificateIssuer$/;

/**
 * Returns the JSON Schema of the values: types as the defaults have, and no other names, so that a
 * misspelt one is an error.
 */
export function schemaOf(values: Record<string, unknown>): Schema {
  const schema = objectSchema(values, '');
  // The chart may be a part of another one, which hands its `global` on.
  const properties = { ...(schema['properties'] as Schema), global: { type: 'object' } };
  return { $schema: 'https://json-schema.org/draft-07/schema#', ...schema, properties };
}

const objectSchema = (values: Record<string, unknown>, prefix: string): Schema => ({
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, schemaOfValue(prefix + name, value)]),
  ),
});

function schemaOfValue(name: string, value: unknown): Schema {
  if (forms[name]) return forms[name];
  if (name.startsWith('settings.'))
    return { type: 'object', additionalProperties: { type: 'string' } };
  if (open.test(name)) return { type: 'object' };
  if (typeof value === 'object') return objectSchema(value as Record<string, unknown>, `${name}.`);
  if (typeof value === 'number') return { type: 'integer', minimum: 1 };
  return { type: typeof value };
}
