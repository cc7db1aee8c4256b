import { credentials, edges } from './components.ts';
import { descriptionOf, rankOf } from './descriptions.ts';

/** The JSON Schema of a value, or of several. */
export interface Schema {
  readonly [keyword: string]: unknown;
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
}

const host = String.raw`[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+`;
const label = String.raw`[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?`;
const matching = (pattern: string): Schema => ({ type: 'string', pattern: `^${pattern}$` });

/** Values that must have a form. */
const forms: Readonly<Record<string, Schema>> = {
  edge: { enum: edges },
  publicHost: matching(`${host}(:[0-9]+)?`),
  contentHost: matching(String.raw`\*\.${host}(:[0-9]+)?`),
  runbooks: matching('https?://[^"\\s]+'),
  'image.tag': matching('[A-Za-z0-9_][A-Za-z0-9._-]*'),
  'objectStore.credentials': { enum: credentials },
  'objectStore.encryption': { enum: ['AES256', 'aws:kms', ''] },
  'objectStore.endpointURL': matching('(https?://[^"\\s]+)?'),
  'objectStore.retentionPolicy': matching('[1-9][0-9]*[dwm]'),
};

/** Values of several names that must have a form. */
const formsByName: readonly (readonly [RegExp, Schema])[] = [
  [/image\.repository$/, matching('[a-z0-9][a-z0-9._:/-]*')],
  [/image\.digest$/, matching('(sha256:[0-9a-f]{64})?')],
  [/\.image\.tag$/, matching('[A-Za-z0-9_][A-Za-z0-9._-]*')],
  [
    /\.(address|standbyAddress)$/,
    matching(String.raw`(${label}(\.${label})*:[0-9]{1,5}/[A-Za-z0-9_.%-]+)?`),
  ],
  [/^settings\.|annotations$|labels$|nodeSelector$/i, mapOf(['string', 'number', 'boolean'])],
  // An empty list of peers would let everything in.
  [/^network\./, { type: 'array', items: { type: 'object' }, minItems: 1 }],
];

function mapOf(types: readonly string[]): Schema {
  return { type: 'object', additionalProperties: { type: types } };
}

/**
 * Returns the JSON Schema of the values: types as the defaults have, and no other names, so that a
 * misspelt one is an error. A value that has a description and parts may have other parts: Kubernetes checks these.
 *
 * @throws Error when a value has no description
 */
export function schemaOf(values: Record<string, unknown>): Schema {
  const schema = objectSchema(values, '');
  // The chart may be a part of another one, which hands its `global` on.
  const properties = { ...schema.properties, global: { type: 'object' } };
  return { $schema: 'https://json-schema.org/draft-07/schema#', ...schema, properties };
}

const objectSchema = (values: object, prefix: string): Schema => ({
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, schemaOfValue(prefix + name, value)]),
  ),
});

function schemaOfValue(name: string, value: unknown): Schema {
  const description = descriptionOf(name);
  if (description) return { description, default: value, ...formOf(name, value) };
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return objectSchema(value, `${name}.`);
  throw new Error(`the value ${name} has no description`);
}

function formOf(name: string, value: unknown): Schema {
  const form = forms[name] ?? formsByName.find(([pattern]) => pattern.test(name))?.[1];
  if (form) return form;
  if (Array.isArray(value)) return { type: 'array', items: { type: 'object' } };
  return typeof value === 'number' ? { type: 'integer', minimum: 1 } : { type: typeof value };
}

/** Returns the values in the order of their descriptions. */
export function ordered(values: Record<string, unknown>, prefix = ''): Record<string, unknown> {
  const entries = Object.entries(values).map(([name, value]): [string, unknown] => {
    const isDescribed = descriptionOf(prefix + name) !== undefined;
    if (isDescribed || typeof value !== 'object' || value === null) return [name, value];
    return [name, ordered(value as Record<string, unknown>, `${prefix}${name}.`)];
  });
  return Object.fromEntries(
    entries.toSorted(([one], [other]) => rankOf(prefix + one) - rankOf(prefix + other)),
  );
}
