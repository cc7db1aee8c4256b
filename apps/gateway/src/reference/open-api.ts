import { providerRefusal } from '@registrar/contracts';
import { contentTypes, type Format } from '@registrar/formats';
import * as z from 'zod';
import type { Operation } from '../operations/operation.ts';
import { problem, problemContentType } from '../responses/problem.ts';
import {
  acceptedModes,
  defaultSecurity,
  operationSecurity,
  securitySchemes,
} from './access-security.ts';
import { codeSamples } from './code-samples.ts';
import { contractLink, contractRule, guidesPath } from './contract-links.ts';
import { isForExistingClients, nameRoutes, type NamedRoute } from './operation-ids.ts';
import { requestBody, routeParameters, sharedParameters } from './operation-parameters.ts';
import {
  completeExamples,
  type JsonSchema,
  nullInType,
  type RecordSchemas,
  recordSchemas,
  responseRecord,
} from './record-schema.ts';
import { errorHeaders, sharedHeaders, successHeaders } from './response-headers.ts';

const title = 'Registrar';

const description = `Courses, registrations, licenses, launches and progress of an e-learning course-delivery server.

- **Begin** with the [first hour](${guidesPath}/first-hour.md), or read the [contract](${guidesPath}/contract/README.md) rule by rule. Each operation links to its rules.
- **Access**: every request carries exactly one [access mode](${contractLink('access#modes')}), usually an API key in the header [\`Authorization: Bearer\`](${contractLink('access#authorization')}), or in the parameter \`api_key\`. A realm pair or a provider application pair is accepted in its place; this document names the header alone, because generated clients send all schemes that they have values for. \`x-access-modes\` lists what is accepted.
- **Formats**: the suffix of the path selects the [format](${contractLink('formats#format')}). \`.json\`, \`.xml\` and \`.csv\` show the same fields, and each format has a document: \`openapi.json\`, \`openapi-xml.json\`, \`openapi-csv.json\`. The parameter \`callback\` makes JSON [JSONP](${contractLink('formats#jsonp')}).
- **Parameters** of POST and PUT may be in a JSON object, in a form, or in the [query string](${contractLink('parameters#sources')}). Flags are \`true\` or \`false\`, also \`t\` or \`f\`.
- **Errors** are [statuses](${contractLink('errors#statuses')}). Every error except 403 has an empty body, unless the request accepts \`application/problem+json\`.
- **Clients**: operations with the tag \`existing-clients\` do what others do (\`x-alias-of\`), for programs that were written for earlier versions. A generated client can leave them out.`;

const aliasTag = 'existing-clients';

const tagDescriptions: Readonly<Record<string, string>> = {
  apiKeys: 'API keys: the access of programs and pages.',
  courses: 'Courses, imported from SCORM packages.',
  courseProviders: 'Provider applications: accounts at a course provider.',
  registrations: 'Registrations of learners for courses, their launches and progress.',
  invitations: 'Invitations and licenses, which register many learners at once.',
  realmUsers: 'The users of a realm.',
  templates: 'Templates of messages.',
  storedQueries: 'Reports: built-in queries and those of the operator.',
  [aliasTag]: 'Other routes of the operations above, for existing clients.',
};

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
const commonErrorStatuses = [401, 406, 500, 501, 503, 504];

/**
 * Generates the OpenAPI 3.1 document of one format from the operations that the gateway validates requests and
 * writes responses with. A document describes one format, so that each response has one type.
 *
 * @param apiRoot the path of the API (contract/formats#api-root)
 */
export function openApi(
  operations: readonly Operation[],
  apiRoot: string,
  format: Format,
): JsonSchema {
  const schemas = recordSchemas(operations);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    for (const named of nameRoutes(operation)) {
      const path = documentedPath(named.route.path, format);
      const method = named.route.method.toLowerCase();
      (paths[path] ??= {})[method] = describe(operation, named, { format, schemas });
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: '2',
      description,
      contact: { name: 'The operator of this installation' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: apiRoot }],
    tags: Object.entries(tagDescriptions).map(([name, text]) => ({ name, description: text })),
    security: defaultSecurity,
    'x-access-modes': acceptedModes,
    paths,
    components: {
      securitySchemes,
      parameters: sharedParameters,
      headers: sharedHeaders,
      responses: {
        notModified: {
          description: 'The client has the response: `If-None-Match` names its `ETag`.',
          headers: { ETag: ref('headers', 'ETag') },
        },
        ...Object.fromEntries(
          Object.entries(errorDescriptions).map(([status, text]) => [
            `error${status}`,
            {
              description: text,
              headers: errorHeaders(status),
              content: status === '403' ? contentOf(providerErrorSchema, format) : problemContent,
            },
          ]),
        ),
      },
      schemas: { ...(format === 'json' && schemas), Problem: problemSchema },
    },
  };
}

const { $schema: _, ...providerErrorSchema } = z.toJSONSchema(providerRefusal);

/** The body of an error for a client that asks for it (contract/errors#problems). */
const { $schema: __, ...problemSchema } = z.toJSONSchema(problem, {
  override: ({ jsonSchema }) => {
    const { anyOf } = jsonSchema;
    if (!anyOf) return;
    delete jsonSchema.anyOf;
    Object.assign(jsonSchema, ...nullInType(anyOf as JsonSchema[]));
  },
});
const problemContent = { [problemContentType]: { schema: ref('schemas', 'Problem') } };

const documentedPath = (path: string, format: Format) =>
  `${path.replace(/:(\w+)/g, '{$1}')}.${format}`;

/** Whether a request names the item that it acts on, which may not exist. */
const namesItem = ({ routes, namedBy, requiredItem }: Operation) =>
  routes.some(({ path }) => path.includes(':')) || (namedBy ?? requiredItem) !== undefined;

function describe(
  operation: Operation,
  { route, id, aliasOf }: NamedRoute,
  { format, schemas }: { readonly format: Format; readonly schemas: RecordSchemas },
): JsonSchema {
  const body = requestBody(operation, route);
  const parameters = routeParameters(operation, route);
  const isAlias = aliasOf !== null || isForExistingClients(operation);
  const [tag = ''] = id.split('.');
  const rule = contractRule(operation);
  const { summary, status = 200 } = operation;
  return {
    operationId: id,
    summary: aliasOf ? `The same as \`${aliasOf}\`.` : summary,
    description: `${summary} Rules: [${rule}](${contractLink(rule)}).`,
    tags: [isAlias ? aliasTag : tag],
    ...(aliasOf && { 'x-alias-of': aliasOf }),
    ...operationSecurity(operation),
    parameters,
    ...(body && { requestBody: body }),
    responses: {
      [status]: {
        description: status === 201 ? 'Created.' : 'Success.',
        headers: successHeaders(operation),
        content: contentOf(responseSchema(operation), format, completeExamples(operation, schemas)),
      },
      ...(operation.showsOnly && { 304: ref('responses', 'notModified') }),
      ...Object.fromEntries(
        [
          ...new Set([
            ...commonErrorStatuses,
            ...(operation.errorStatuses ?? []),
            ...(namesItem(operation) ? [404] : []),
          ]),
        ]
          .sort()
          .map((each) => [each, ref('responses', `error${each}`)]),
      ),
    },
    ...(!isAlias && {
      'x-codeSamples': codeSamples({
        method: route.method,
        path: documentedPath(route.path, format),
        access: operation.name === 'api_key create' ? 'realm' : 'api_key',
        parameters,
        body,
        isText: format !== 'json',
      }),
    }),
  };
}

function responseSchema(operation: Operation): JsonSchema {
  const record = responseRecord(operation);
  return operation.list ? { type: 'array', items: record } : record;
}

/** The content of a response: XML and CSV are texts. */
function contentOf(schema: JsonSchema, format: Format, examples: JsonSchema = {}): JsonSchema {
  const shown = Object.entries(examples).map(([name, value]) => [name, { value }]);
  return {
    [contentTypes[format].replace(/;.*/, '')]:
      format === 'json'
        ? { schema, ...(shown.length > 0 && { examples: Object.fromEntries(shown) as JsonSchema }) }
        : { schema: { type: 'string' } },
  };
}
