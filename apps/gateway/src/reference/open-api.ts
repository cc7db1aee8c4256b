import { providerRefusal } from '@registrar/contracts';
import * as z from 'zod';
import { accessModes } from '../access/access-mode.ts';
import type { Operation } from '../operations/operation.ts';
import { problem, problemContentType } from '../responses/problem.ts';
import { examplesOf } from './examples.ts';
import { requestBody, routeParameters, sharedParameters } from './operation-parameters.ts';
import { type JsonSchema, recordSchema } from './record-schema.ts';

const title = 'Registrar';

const description = `Every request carries exactly one access mode: an API key, a realm pair or a
provider application pair. With POST, PUT and DELETE, each parameter may be in the query string or in the
body: a form, a multipart form or a JSON object. Every error except 403 has an empty body, unless the request accepts
\`application/problem+json\`.`;

const tagOf = ({ name }: Operation) => name.split(' ')[0] ?? name;
const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

/** Descriptions of all error statuses (contract/errors#statuses). */
const errorDescriptions: Readonly<Record<number, string>> = {
  302: 'The record exists already and is unchanged. There is no Location header.',
  401: 'No valid access mode.',
  403: 'The course provider refused the request.',
  404: 'A record that the request names does not exist in the reach of this access. On registration create also: `course_guid` is missing, or the body cannot be read.',
  406: 'The format is not json, xml or csv.',
  500: 'An invalid request: a parameter is malformed, unknown or contradictory.',
  501: 'More than one access mode.',
  503: 'A dependency is unavailable, or the service is overloaded. `Retry-After` says when to try again.',
  504: 'The request exceeded its deadline.',
};
const notModified = {
  description: 'The client has the response: `If-None-Match` names its `ETag`.',
};
const commonErrorStatuses = [401, 406, 500, 501, 503, 504];

/** The parameters of each access mode, without `accessToken`, another name of `api_key`. */
const parameterModes = [['api_key'], accessModes.realm, accessModes.provider];
/** The schemes of the `Authorization` header that stand for a mode (contract/access#authorization). */
const modes = [...parameterModes, ['bearer'], ['basic']];

const securitySchemes = {
  ...Object.fromEntries(
    parameterModes.flat().map((name) => [name, { type: 'apiKey', in: 'query', name }]),
  ),
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key.' },
  basic: { type: 'http', scheme: 'basic', description: '`realm_guid` and `realm_secret_key`.' },
};

const securityOf = (modes: readonly (readonly string[])[]) =>
  modes.map((names) => Object.fromEntries(names.map((name) => [name, []])));

/** The access modes with the provider pair beside them (contract/access#provider-pair-beside). */
const modesBesideProviderPair = [
  ...modes,
  ...[['api_key'], accessModes.realm, ['bearer'], ['basic']].map((mode) => [
    ...mode,
    ...accessModes.provider,
  ]),
];

/**
 * Generates the OpenAPI 3.1 document from the operations that the gateway validates requests and
 * writes responses with.
 *
 * @param apiRoot the path of the API (contract/formats#api-root)
 */
export function openApi(operations: readonly Operation[], apiRoot: string): JsonSchema {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    for (const route of operation.routes) {
      const templated = `${route.path.replace(/:(\w+)/g, '{$1}')}.{format}`;
      (paths[templated] ??= {})[route.method.toLowerCase()] = describe(operation, route);
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
    security: securityOf(modes),
    paths,
    components: {
      securitySchemes,
      parameters: sharedParameters,
      responses: Object.fromEntries(
        Object.entries(errorDescriptions).map(([status, description]) => [
          `error${status}`,
          {
            description,
            content: status === '403' ? contentOf(providerErrorSchema) : problemContent,
          },
        ]),
      ),
      schemas: { ...schemas(operations), problem: problemSchema },
    },
  };
}

const providerErrorSchema = z.toJSONSchema(providerRefusal);

/** The body of an error for a client that asks for it (contract/errors#problems). */
const problemSchema = z.toJSONSchema(problem);
const problemContent = { [problemContentType]: { schema: ref('schemas', 'problem') } };

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

/** Whether a request names the item that it acts on, which may not exist. */
const namesItem = ({ routes, namedBy, requiredItem }: Operation) =>
  routes.some(({ path }) => path.includes(':')) || (namedBy ?? requiredItem) !== undefined;

function describe(operation: Operation, route: Operation['routes'][number]): JsonSchema {
  const { method, path } = route;
  const body = requestBody(operation, route);
  return {
    operationId: [method.toLowerCase(), ...(path.match(/\w+/g) ?? [])].join('_'),
    summary: operation.summary,
    tags: [tagOf(operation)],
    ...(operation.allowsProviderPair && { security: securityOf(modesBesideProviderPair) }),
    parameters: routeParameters(operation, route),
    ...(body && { requestBody: body }),
    responses: {
      [operation.status ?? 200]: {
        description: operation.status === 201 ? 'Created.' : 'Success.',
        content: {
          ...contentOf(responseSchema(operation), examplesOf(operation.name)),
          // With `callback` (contract/formats#jsonp-type).
          'application/javascript': { schema: { type: 'string' } },
        },
      },
      ...(operation.showsOnly && { 304: notModified }),
      ...Object.fromEntries(
        [
          ...commonErrorStatuses,
          ...(operation.errorStatuses ?? []),
          ...(namesItem(operation) ? [404] : []),
        ]
          .sort()
          .map((status) => [status, ref('responses', `error${status}`)]),
      ),
    },
  };
}

function responseSchema(operation: Operation): JsonSchema {
  const refs = variantsOf(operation).map((_, index) =>
    ref('schemas', schemaName(operation, index)),
  );
  const record =
    refs.length === 0 ? { type: 'object' } : refs.length === 1 ? refs[0] : { anyOf: refs };
  return operation.list ? { type: 'array', items: record } : { ...record };
}

const contentOf = (schema: JsonSchema, examples: JsonSchema = {}) => ({
  'application/json': { schema, ...(Object.keys(examples).length > 0 && { examples }) },
  'application/xml': { schema: { type: 'string' } },
  'text/csv': { schema: { type: 'string' } },
});
