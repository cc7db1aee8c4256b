import { formats } from '@registrar/formats';
import * as z from 'zod';
import type { Method, Operation } from '../operations/operation.ts';
import { type Example, exampleOf } from './examples.ts';
import { type JsonSchema, recordSchema } from './record-schema.ts';

const title = 'Course Registration Service';

const description = `Every request carries exactly one access mode: an API key, a realm pair or a
provider application pair. With POST, PUT and DELETE, parameters may also be in the body: a form, a multipart
form or a JSON object. Every error except 403 has an empty body.`;

const tagOf = ({ name }: Operation) => name.split(' ')[0] ?? name;
const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

/** Descriptions of all error statuses (contract/errors#statuses). */
const errorDescriptions: Readonly<Record<number, string>> = {
  302: 'The record exists already and is unchanged. There is no Location header.',
  401: 'No valid access mode.',
  403: 'The course provider refused the request.',
  404: 'A record that the request names does not exist in the reach of this access.',
  406: 'The format is not json, xml or csv.',
  500: 'An invalid request: a parameter is malformed, unknown or contradictory.',
  501: 'More than one access mode.',
  503: 'A dependency is unavailable, or the service is overloaded. `Retry-After` says when to try again.',
  504: 'The request exceeded its deadline.',
};
const commonErrorStatuses = [401, 406, 500, 501, 503, 504];

/** The parameters that every operation accepts (contract/parameters#general-parameters). */
const generalParameters = {
  fields: 'The fields to show, separated by commas; a nested field has a dot in its name.',
  template: 'The field set to show: `public`, `public_minimum` or `extended`.',
  api_template: 'The same as `template`.',
  callback: 'The JavaScript function to call with the JSON (JSONP).',
} as const;

const securitySchemes = Object.fromEntries(
  ['api_key', 'realm_guid', 'realm_secret_key', 'sc_app_id', 'sc_secret_key'].map((name) => [
    name,
    { type: 'apiKey', in: 'query', name },
  ]),
);

/**
 * Generates the OpenAPI 3.1 document from the operations that the gateway validates requests and
 * writes responses with.
 *
 * @param apiRoot the path of the API (contract/formats#api-root)
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
          description: 'The format of the response.',
          schema: { type: 'string', enum: formats },
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
      },
      responses: Object.fromEntries(
        Object.entries(errorDescriptions).map(([status, description]) => [
          `error${status}`,
          status === '403'
            ? { description, content: contentOf(providerErrorSchema) }
            : { description },
        ]),
      ),
      schemas: schemas(operations),
    },
  };
}

const providerErrorSchema: JsonSchema = {
  type: 'object',
  properties: Object.fromEntries(
    ['error_code', 'error_message', 'error_url'].map((name) => [name, { type: 'string' }]),
  ),
  required: ['error_code', 'error_message', 'error_url'],
  additionalProperties: false,
};

const variantsOf = (operation: Operation) =>
  operation.recordVariants ??
  (operation.record && typeof operation.record !== 'function' ? [operation.record] : []);

/** The name of a record variant in the document: `course_index`, `course_index_2`. */
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
        ...describedParameter(operation, name, schema),
        required: method === 'GET' && (shape.required?.includes(name) ?? false),
        schema: parameterSchema(schema),
      })),
      ...(operation.patternFilters ?? []).map((name) => ({
        name: `${name}_re`,
        in: 'query',
        description: `A regular expression that \`${name}\` must match. If repeated or numbered (\`${name}_re0\`), all must match.`,
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
        description: operation.status === 201 ? 'Created.' : 'Success.',
        content: {
          ...contentOf(responseSchema(operation), example),
          // With `callback` (contract/formats#jsonp-type).
          'application/javascript': { schema: { type: 'string' } },
        },
      },
      ...Object.fromEntries(
        [...commonErrorStatuses, ...(operation.errorStatuses ?? [])]
          .sort()
          .map((status) => [status, ref('responses', `error${status}`)]),
      ),
    },
  };
}

/** The description and the example that the operation gives for a parameter. */
function describedParameter(operation: Operation, name: string, schema: JsonSchema) {
  const { description, example } = schema;
  if (!description) throw new Error(`${operation.name}: the parameter ${name} has no description`);
  return example === undefined ? { description } : { description, example };
}

/** The schema of a parameter's value. The pattern of a format is left out. */
function parameterSchema({ pattern: _, description: __, example: ___, ...schema }: JsonSchema) {
  return Object.keys(schema).length > 0 ? schema : { type: 'string' };
}

function responseSchema(operation: Operation): JsonSchema {
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
      'multipart/form-data': { schema: operation.acceptsPackage ? withFile : schema },
    },
  };
}
