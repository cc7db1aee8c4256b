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
  readonly deprecated: boolean;
  /** The value in a query string or a form. */
  readonly schema: JsonSchema;
  /** The value in a JSON body, where JSON texts are values (contract/parameters#body-json). */
  readonly jsonSchema: JsonSchema;
  /** The value that the reference sends unless the reader changes it, in a query string or a form. */
  readonly example?: unknown;
  /** The same in a JSON body. */
  readonly jsonExample?: unknown;
}

/** The parameters that every operation accepts (contract/parameters#general-parameters). */
const generalParameters: JsonSchema = {
  fields: {
    name: 'fields',
    in: 'query',
    description:
      'The fields to show, separated by commas; a nested field has a dot in its name. The response has no others, required ones included.',
    schema: { type: 'string' },
  },
  template: {
    name: 'template',
    in: 'query',
    description: 'The field set to show.',
    schema: { type: 'string', enum: ['public', 'public_minimum', 'extended'] },
  },
  api_template: {
    name: 'api_template',
    in: 'query',
    description: 'The same as `template`.',
    schema: { type: 'string', enum: ['public', 'public_minimum', 'extended'] },
  },
};

const reference = (name: string) => ({ $ref: `#/components/parameters/${name}` });

/** The parameters of several operations, for `components`. */
export const sharedParameters: JsonSchema = {
  idempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Identifies the request, so that it can be repeated after a lost response: for 24 hours, a repeated request has no second effect and returns the same response.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  ...generalParameters,
};

/** The parameters of a route outside of its body. */
export function routeParameters(operation: Operation, route: Route): JsonSchema[] {
  return [
    ...[...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) =>
      pathParameter(operation, route.path, name),
    ),
    ...(takesBody(route) ? [] : ownParameters(operation, route)).map(queryParameter),
    ...(operation.acceptsExtraParameters && !takesBody(route) ? [extraParameters] : []),
    // Other operations take them in some realms alone (contract/compatibility#invitation-lists).
    ...((operation.list && operation.listFilters) || []).map((name) => ({
      name: `${name}[]`,
      in: 'query',
      description: `Several values of \`${name}\`, of which any must match.`,
      schema: { type: 'array', items: { type: 'string' } },
    })),
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
 * The body of a route: its own parameters as a JSON object or a form; with a course package, a multipart
 * form. Null for routes that take no body.
 */
export function requestBody(operation: Operation, route: Route): JsonSchema | null {
  if (!takesBody(route)) return null;
  const own = ownParameters(operation, route);
  if (own.length === 0 && !operation.acceptsPackage) return null;
  const { acceptsExtraParameters } = operation;
  const others: JsonSchema = acceptsExtraParameters
    ? { additionalProperties: { description: 'A value to merge.' } }
    : {};
  const form: JsonSchema = { ...bodySchema(own, 'schema', 'example'), ...others };
  const needsPackage = operation.acceptsPackage === 'required';
  const required = needsPackage || own.some((each) => each.required);
  if (operation.acceptsPackage) {
    const file = {
      type: 'string',
      format: 'binary',
      description: 'A course package: a zip file.',
    };
    const properties = { ...(form['properties'] as JsonSchema), file };
    const schema = { ...form, properties, ...(needsPackage && { required: ['file'] }) };
    return { required, content: { 'multipart/form-data': { schema } } };
  }
  const json = { ...bodySchema(own, 'jsonSchema', 'jsonExample'), ...others };
  const example = Object.fromEntries([
    ...own.flatMap(({ name, jsonExample }) =>
      jsonExample === undefined ? [] : [[name, jsonExample]],
    ),
    ...(acceptsExtraParameters ? [['seen', '2']] : []),
  ]) as JsonSchema;
  const encoding = jsonEncoding(own);
  return {
    required,
    content: {
      'application/json': { schema: json, example },
      'application/x-www-form-urlencoded': {
        schema: form,
        ...(Object.keys(encoding).length > 0 && { encoding }),
      },
    },
  };
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

const queryParameter = (own: OwnParameter): JsonSchema => ({
  name: own.name,
  in: 'query',
  description: own.description,
  required: own.required,
  ...(own.deprecated && { deprecated: true }),
  schema: own.schema,
  ...(own.example !== undefined && { example: own.example }),
});

/**
 * The parameter of a path. Its example is the item that the recorded list of its resource begins with, or the
 * first one; a GUID that the system generates has none, because no other system has the item.
 */
function pathParameter({ hasTextId }: Operation, path: string, name: string): JsonSchema {
  const [resource = ''] = path.slice(1).split('/');
  const isNumber = !hasTextId && name === 'id';
  const list = exampleOf(`${resource} index`)?.answer as JsonSchema[] | undefined;
  const guid = resource === 'registration' ? undefined : list?.[0]?.[`${resource}_guid`];
  const kind = isNumber ? 'id' : resource === 'stored_query' ? 'name' : 'GUID';
  const example = isNumber ? 1 : kind === 'name' ? 'my_report' : guid;
  return {
    name,
    in: 'path',
    required: true,
    description: `The ${kind} of the ${resource.replace('_', ' ')}.`,
    schema: isNumber ? { type: 'integer', minimum: 1 } : { type: 'string' },
    ...(example !== undefined && { example }),
  };
}

function ownParameters(operation: Operation, route: Route): OwnParameter[] {
  const shape = z.toJSONSchema(operation.parameters, { io: 'input', unrepresentable: 'any' });
  const isNamedByPath = route.path.includes(':');
  return Object.entries(shape.properties ?? {}).map(([name, property]) => {
    const { description, deprecated, example, examples, jsonValue, ...rest } =
      property as JsonSchema;
    if (typeof description !== 'string') {
      throw new Error(`${operation.name}: the parameter ${name} has no description`);
    }
    const namesItem = operation.namedBy === name;
    const ofRoute = (examples as unknown[] | undefined)?.[operation.routes.indexOf(route)];
    const shown = namesItem && isNamedByPath ? undefined : (ofRoute ?? example);
    const schema = valueSchema(rest);
    const value = jsonValue as JsonSchema | undefined;
    return {
      name,
      description,
      required: (shape.required ?? []).includes(name) || (namesItem && !isNamedByPath),
      deprecated: deprecated === true,
      schema: value ? { ...schema, contentMediaType: 'application/json' } : schema,
      jsonSchema: value ?? schema,
      ...(shown !== undefined && {
        example: shown,
        jsonExample: value && typeof shown === 'string' ? (JSON.parse(shown) as unknown) : shown,
      }),
    };
  });
}

/** Defaults that say nothing: of a text and of a flag. */
const emptyDefaults: readonly unknown[] = ['', false];

/** The schema of a parameter's value, without the pattern of a format and an empty default. */
function valueSchema({ pattern: _, default: byDefault, ...schema }: JsonSchema): JsonSchema {
  const kept =
    byDefault === undefined || emptyDefaults.includes(byDefault)
      ? schema
      : { ...schema, default: byDefault };
  return Object.keys(kept).length > 0 ? kept : { type: 'string' };
}

/** Makes clients send JSON texts in a form as they are: an array would become several values. */
const jsonEncoding = (own: readonly OwnParameter[]): JsonSchema =>
  Object.fromEntries(
    own
      .filter(({ schema }) => 'contentMediaType' in schema)
      .map(({ name }) => [name, { contentType: 'application/json' }]),
  );

function bodySchema(
  own: readonly OwnParameter[],
  schema: 'schema' | 'jsonSchema',
  example: 'example' | 'jsonExample',
): JsonSchema {
  const required = own.filter((each) => each.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(
      own.map((each) => [
        each.name,
        {
          ...each[schema],
          description: each.description,
          ...(each.deprecated && { deprecated: true }),
          ...(each[example] !== undefined && { examples: [each[example]] }),
        },
      ]),
    ),
    ...(required.length > 0 && { required }),
  };
}
