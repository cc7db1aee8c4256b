import { formats } from '@registrar/formats';
import * as z from 'zod';
import type { Operation } from '../operations/operation.ts';
import { exampleOf } from './examples.ts';
import type { JsonSchema } from './record-schema.ts';

type Route = Operation['routes'][number];

/** A parameter of a route's own, as the document lists it in the query string or in the body. */
interface OwnParameter {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
  readonly isJsonText: boolean;
  /** The value that the reference sends unless the reader changes it. */
  readonly example?: unknown;
}

/** The parameters that every operation accepts (contract/parameters#general-parameters). */
const generalParameters = {
  fields: 'The fields to show, separated by commas; a nested field has a dot in its name.',
  template: 'The field set to show: `public`, `public_minimum` or `extended`.',
  api_template: 'The same as `template`.',
  callback: 'The JavaScript function to call with the JSON (JSONP).',
} as const;

const reference = (name: string) => ({ $ref: `#/components/parameters/${name}` });

/** The path parameters that every path has, and the general ones, for `components`. */
export const sharedParameters: JsonSchema = {
  format: {
    name: 'format',
    in: 'path',
    required: true,
    description: 'The format of the response.',
    schema: { type: 'string', enum: formats },
    example: formats[0],
  },
  idempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Identifies the request, so that it can be repeated after a lost response: for 24 hours, a repeated request has no second effect and returns the same response.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  ...Object.fromEntries(
    Object.entries(generalParameters).map(([name, description]) => [
      name,
      { name, in: 'query', description, schema: { type: 'string' } },
    ]),
  ),
};

/** The parameters of a route outside of its body. */
export function routeParameters(operation: Operation, route: Route): JsonSchema[] {
  return [
    ...[...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => pathParameter(route.path, name)),
    reference('format'),
    ...(takesBody(route) ? [] : ownParameters(operation, route)).map(
      ({ isJsonText: _, ...parameter }) => ({ ...parameter, in: 'query' }),
    ),
    ...(operation.acceptsExtraParameters ? [extraParameters] : []),
    ...(operation.patternFilters ?? []).map((name) => ({
      name: `${name}_re`,
      in: 'query',
      description: `A regular expression that \`${name}\` must match. If repeated or numbered (\`${name}_re0\`), all must match.`,
      schema: { type: 'array', items: { type: 'string', maxLength: 256 }, maxItems: 8 },
    })),
    ...Object.keys(generalParameters).map(reference),
    ...(operation.status === 201 || route.method !== 'GET' ? [reference('idempotencyKey')] : []),
  ];
}

/**
 * The body of a route: its own parameters as a form, a multipart form or a JSON object. The first is
 * the default of the reference. Null for routes that take no body.
 */
export function requestBody(operation: Operation, route: Route): JsonSchema | null {
  if (!takesBody(route)) return null;
  const own = ownParameters(operation, route);
  if (own.length === 0 && !operation.acceptsPackage) return null;
  const schema = bodySchema(own);
  const properties = schema['properties'] as JsonSchema;
  const example = Object.fromEntries(
    own.flatMap((each) => ('example' in each ? [[each.name, each.example]] : [])),
  );
  const encoding = jsonEncoding(own);
  const form = { 'application/x-www-form-urlencoded': { schema, encoding } };
  const json = { 'application/json': { schema, example } };
  if (!operation.acceptsPackage) {
    return { content: { ...form, 'multipart/form-data': { schema, encoding }, ...json } };
  }
  const file = {
    type: 'string',
    contentMediaType: 'application/zip',
    description: 'A course package.',
  };
  const withFile = { ...schema, properties: { file, ...properties } };
  return { content: { 'multipart/form-data': { schema: withFile, encoding }, ...form, ...json } };
}

const takesBody = ({ method }: Route) => method === 'POST' || method === 'PUT';

/** Parameters that no schema lists, such as a stored query's own (contract/stored-queries#run-parameters). */
const extraParameters: JsonSchema = {
  name: 'parameters',
  in: 'query',
  description:
    'Any further parameters, such as those of a stored query: `{"days":"14"}` is sent as `days=14`.',
  style: 'form',
  explode: true,
  schema: { type: 'object', additionalProperties: { type: 'string' } },
  example: {},
};

/** Names the item that the recorded list of its resource begins with, or the first one. */
function pathParameter(path: string, name: string): JsonSchema {
  const [resource = ''] = path.slice(1).split('/');
  const list = exampleOf(`${resource} index`)?.answer as JsonSchema[] | undefined;
  const guid = list?.[0]?.[`${resource}_guid`];
  return {
    name,
    in: 'path',
    required: true,
    description: `The ${guid === undefined ? 'id' : 'GUID'} of the ${resource.replace('_', ' ')}.`,
    schema: { type: 'string' },
    example: guid ?? '1',
  };
}

function ownParameters(operation: Operation, route: Route): OwnParameter[] {
  const shape = z.toJSONSchema(operation.parameters, { io: 'input', unrepresentable: 'any' });
  const isNamedByPath = route.path.includes(':');
  return Object.entries(shape.properties ?? {}).map(([name, property]) => {
    const { description, example, examples, isJsonText, ...schema } = property as JsonSchema;
    if (typeof description !== 'string') {
      throw new Error(`${operation.name}: the parameter ${name} has no description`);
    }
    const namesItem = operation.namedBy === name;
    const ofRoute = (examples as unknown[] | undefined)?.[operation.routes.indexOf(route)];
    const shown = namesItem && isNamedByPath ? undefined : (ofRoute ?? example);
    return {
      name,
      description,
      required: (shape.required ?? []).includes(name) || (namesItem && !isNamedByPath),
      schema: valueSchema(schema),
      isJsonText: isJsonText === true,
      ...(shown !== undefined && { example: shown }),
    };
  });
}

/** The schema of a parameter's value, without the pattern of a format and an empty default. */
function valueSchema({ pattern: _, default: byDefault, ...schema }: JsonSchema): JsonSchema {
  const kept =
    byDefault === undefined || byDefault === '' ? schema : { ...schema, default: byDefault };
  return Object.keys(kept).length > 0 ? kept : { type: 'string' };
}

/** Makes clients send JSON texts in a form as they are: an array would become several values. */
const jsonEncoding = (own: readonly OwnParameter[]): JsonSchema =>
  Object.fromEntries(
    own
      .filter(({ isJsonText }) => isJsonText)
      .map(({ name }) => [name, { contentType: 'application/json' }]),
  );

function bodySchema(own: readonly OwnParameter[]): JsonSchema {
  const required = own.filter((each) => each.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(
      own.map(({ name, description, schema, example }) => [
        name,
        { ...schema, description, ...(example !== undefined && { examples: [example] }) },
      ]),
    ),
    ...(required.length > 0 && { required }),
  };
}
