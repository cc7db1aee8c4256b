import { formats } from '#libs/formats';
import * as z from 'zod';
import type { Method, Operation } from '../operations/operation.ts';
import { type Example, exampleOf } from './examples.ts';
import { descriptionOf } from './parameter-descriptions.ts';
import { type JsonSchema, recordSchema } from './record-schema.ts';

const title = 'Course Registration Service';

const description = `Every request carries exactly one access mode: an API key, a realm pair or a
provider application pair. With POST and PUT, all parameters may stand in the body as well, as a form, a
multipart form or a JSON object. All errors but 403 have an empty body.`;

const tagOf = ({ name }: Operation) => name.split(' ')[0] ?? name;
const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

/** Statuses that every operation may answer, and those of some. */
const refusals: Readonly<Record<number, string>> = {
  302: 'It is there already, unchanged. Without a Location.',
  401: 'No valid access mode.',
  403: 'The course provider refused.',
  404: 'What the request names is not there, for this access.',
  406: 'The format is none of json, xml and csv.',
  500: 'An illegal request: a parameter is malformed, unknown or contradictory.',
  501: 'More than one access mode.',
  503: 'A dependency is away, or there is too much to do; `Retry-After` says when to ask again.',
  504: 'It took too long.',
};
const usualRefusals = [401, 406, 500, 501, 503, 504];

/** Parameters of every operation (decision 6). */
const generalParameters = {
  fields: 'Names of the fields to show, with commas between them; nested ones with a dot.',
  template: 'The field set to show: `public`, `public_minimum` or `extended`.',
  api_template: 'The same as `template`.',
  callback: 'A function that a script is to call with the JSON (JSONP).',
} as const;

const securitySchemes = Object.fromEntries(
  ['api_key', 'realm_guid', 'realm_secret_key', 'sc_app_id', 'sc_secret_key'].map((name) => [
    name,
    { type: 'apiKey', in: 'query', name },
  ]),
);

/**
 * The API as an OpenAPI 3.1 document, made from the definitions by which the gateway validates
 * requests and writes records.
 *
 * @param apiRoot the path of the API (decision 1)
 */
export function openApi(operations: readonly Operation[], apiRoot: string): JsonSchema {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    for (const { method, path } of operation.routes) {
      const templated = `${path.replace(/:(\w+)/g, '{$1}')}.{format}`;
      (paths[templated] ??= {})[method.toLowerCase()] = describe(operation, method, path);
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: '2',
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: apiRoot }],
    tags: [...new Set(operations.map(tagOf))].map((name) => ({ name })),
    security: [
      { api_key: [] },
      { realm_guid: [], realm_secret_key: [] },
      { sc_app_id: [], sc_secret_key: [] },
    ],
    paths,
    components: {
      securitySchemes,
      parameters: {
        format: {
          name: 'format',
          in: 'path',
          required: true,
          description: 'The format of the answer.',
          schema: { type: 'string', enum: formats },
        },
        idempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          description:
            'Names the request, so that it can be sent again when its answer was lost: it then has one effect, and the same answer, for 24 hours.',
          schema: { type: 'string', minLength: 1, maxLength: 255 },
        },
        ...Object.fromEntries(
          Object.entries(generalParameters).map(([name, words]) => [
            name,
            { name, in: 'query', description: words, schema: { type: 'string' } },
          ]),
        ),
      },
      responses: Object.fromEntries(
        Object.entries(refusals).map(([status, words]) => [
          `refusal${status}`,
          status === '403'
            ? { description: words, content: contentOf(providerRefusalSchema) }
            : { description: words },
        ]),
      ),
      schemas: schemas(operations),
    },
  };
}

const providerRefusalSchema: JsonSchema = {
  type: 'object',
  properties: Object.fromEntries(
    ['error_code', 'error_message', 'error_url'].map((name) => [name, { type: 'string' }]),
  ),
  required: ['error_code', 'error_message', 'error_url'],
  additionalProperties: false,
};

const variantsOf = (operation: Operation) =>
  operation.variants ??
  (operation.record && typeof operation.record !== 'function' ? [operation.record] : []);

/** `course_index` and `course_index_2`: what an operation may answer. */
const schemaName = (operation: Operation, index: number) =>
  operation.name.replaceAll(' ', '_') + (index === 0 ? '' : `_${index + 1}`);

const schemas = (operations: readonly Operation[]) =>
  Object.fromEntries(
    operations.flatMap((operation) =>
      variantsOf(operation).map((record, index) => [
        schemaName(operation, index),
        recordSchema(record),
      ]),
    ),
  );

function describe(operation: Operation, method: Method, path: string): JsonSchema {
  const shape = z.toJSONSchema(operation.parameters, { io: 'input', unrepresentable: 'any' });
  const properties = (shape.properties ?? {}) as Record<string, JsonSchema>;
  const example = exampleOf(operation.name);
  const body = method === 'GET' ? null : requestBody(operation, properties);
  return {
    operationId: [method.toLowerCase(), ...(path.match(/\w+/g) ?? [])].join('_'),
    summary: operation.summary,
    tags: [tagOf(operation)],
    parameters: [
      ...[...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
        name,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      })),
      ref('parameters', 'format'),
      ...Object.entries(properties).map(([name, schema]) => ({
        name,
        in: 'query',
        description: descriptionOf(operation.name, name),
        required: method === 'GET' && (shape.required?.includes(name) ?? false),
        schema: parameterSchema(schema),
      })),
      ...(operation.expressions ?? []).map((name) => ({
        name: `${name}_re`,
        in: 'query',
        description: `A regular expression that \`${name}\` matches. Repeated, or numbered (\`${name}_re0\`), all must match.`,
        schema: { type: 'array', items: { type: 'string', maxLength: 256 }, maxItems: 8 },
      })),
      ...Object.keys(generalParameters).map((name) => ref('parameters', name)),
      ...(operation.status === 201 || method !== 'GET'
        ? [ref('parameters', 'idempotencyKey')]
        : []),
    ],
    ...(body && { requestBody: body }),
    responses: {
      [operation.status]: {
        description: operation.status === 201 ? 'Made.' : 'Success.',
        content: {
          ...contentOf(answerSchema(operation), example),
          // JSONP, by `callback` (decision 9).
          'application/javascript': { schema: { type: 'string' } },
        },
      },
      ...Object.fromEntries(
        [...usualRefusals, ...(operation.refusals ?? [])]
          .sort()
          .map((status) => [status, ref('responses', `refusal${status}`)]),
      ),
    },
  };
}

function parameterSchema({ pattern: _, ...schema }: JsonSchema): JsonSchema {
  return Object.keys(schema).length > 0 ? schema : { type: 'string' };
}

function answerSchema(operation: Operation): JsonSchema {
  const refs = variantsOf(operation).map((_, index) =>
    ref('schemas', schemaName(operation, index)),
  );
  const record =
    refs.length === 0 ? { type: 'object' } : refs.length === 1 ? refs[0] : { anyOf: refs };
  return operation.list ? { type: 'array', items: record } : { ...record };
}

const contentOf = (schema: JsonSchema, example?: Example) => ({
  'application/json': { schema, ...(example && { example: example.answer }) },
  'application/xml': { schema: { type: 'string' } },
  'text/csv': { schema: { type: 'string' } },
});

function requestBody(operation: Operation, properties: Readonly<Record<string, JsonSchema>>) {
  const own = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, parameterSchema(schema)]),
  );
  const access = Object.fromEntries(
    Object.keys(securitySchemes).map((name) => [name, { type: 'string' }]),
  );
  const schema = { type: 'object', properties: { ...own, ...access } };
  const file = { type: 'string', contentMediaType: 'application/zip' };
  const withFile = { ...schema, properties: { ...schema.properties, file } };
  return {
    content: {
      'application/x-www-form-urlencoded': { schema },
      'application/json': { schema },
      'multipart/form-data': { schema: operation.takesPackage ? withFile : schema },
    },
  };
}
