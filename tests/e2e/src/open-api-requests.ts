import { buildSamplePackage, sampleCourseNames } from '@registrar/sample-courses';
import {
  type ApiResponse,
  buildDraftPackage,
  type Client,
  form,
  type Parameters,
} from '@registrar/conformance';
import type { DocumentedOperation, Schema } from './open-api-document.ts';
import { conditionallyRequired, type OpenApiFixture } from './open-api-fixture.ts';

/** The encoding of parameters: `query`, a media type of the body, or `package` for a multipart form with a file. */
export type ParameterEncoding = string;

/** Returns all documented encodings of an operation's parameters. */
export const encodingsOf = (operation: DocumentedOperation): ParameterEncoding[] =>
  needsPackage(operation)
    ? ['package']
    : [
        'query',
        ...Object.keys(operation.bodies),
        ...(operation.bodies['multipart/form-data']?.properties?.['file'] ? ['package'] : []),
      ];

/** Whether a request without a course package is refused. */
export const needsPackage = ({ bodies }: DocumentedOperation): boolean =>
  bodies['multipart/form-data']?.required?.includes('file') ?? false;

/** Parameters that every operation has. They are tried one by one. */
export const generalParameters = ['fields', 'template', 'api_template'];

/** Returns the operation's own parameters: the needed ones or all. */
export function parametersFor(
  operation: DocumentedOperation,
  facts: OpenApiFixture,
  which: 'needed' | 'all',
): Parameters {
  const needed = operation.path.includes('{id}')
    ? []
    : (conditionallyRequired[operation.name] ?? []);
  const own = operation.parameters.filter(
    ({ in: place, name, schema }) =>
      (place === 'query' || place === 'body') &&
      !generalParameters.includes(name) &&
      // The parameters of a stored query, which depend on the query.
      schema.type !== 'object',
  );
  const wanted = own.filter(
    ({ name, required }) => which === 'all' || required === true || needed.includes(name),
  );
  return Object.fromEntries(wanted.map(({ name }) => [name, facts.value(operation, name)]));
}

/** Sends a request of a documented operation, with `access` among its parameters. */
export async function sendDocumented(
  api: Client,
  operation: DocumentedOperation,
  request: {
    readonly format: string;
    readonly item: string;
    readonly access: Parameters;
    readonly parameters: Parameters;
    readonly carrier?: ParameterEncoding;
    readonly query?: Parameters;
  },
): Promise<ApiResponse> {
  const { access, query = {} } = request;
  const carrier = request.carrier ?? (needsPackage(operation) ? 'package' : 'query');
  const path = operation.path
    .replace('{format}', request.format)
    .replace(/\{\w+\}/, encodeURIComponent(request.item));
  const parameters = { ...access, ...request.parameters };
  if (carrier === 'query') {
    return api.send(operation.method, path, { query: { ...parameters, ...query } });
  }
  const { body, headers } = await bodyFor(carrier, parameters, operation);
  return api.send(operation.method, path, { query, body, headers, shown: request.parameters });
}

/** Returns parameters as values of the types that a schema documents: `true` for `'true'`, an array for JSON text. */
export const typedValues = (schema: Schema | undefined, parameters: Parameters) =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      typedValue(schema?.properties?.[name] ?? { type: 'string' }, value),
    ]),
  );

/** Returns the text of a parameter as a value of the type that its schema documents. */
export function typedValue({ type }: Schema, value: Parameters[string]): unknown {
  if (typeof value !== 'string' || type === 'string') return value;
  return JSON.parse(value) as unknown;
}

async function bodyFor(
  carrier: ParameterEncoding,
  parameters: Parameters,
  operation: DocumentedOperation,
): Promise<{ body: NonNullable<RequestInit['body']>; headers: Record<string, string> }> {
  switch (carrier) {
    case 'application/x-www-form-urlencoded':
      return { body: form(parameters), headers: {} };
    case 'application/json':
      return {
        body: JSON.stringify(typedValues(operation.bodies[carrier], parameters)),
        headers: { 'content-type': carrier },
      };
    case 'multipart/form-data':
    case 'package': {
      const body = new FormData();
      for (const [name, value] of form(parameters)) body.append(name, value);
      if (carrier === 'package') {
        // A check finds something in the draft.
        const file = await (needsPackage(operation)
          ? buildDraftPackage()
          : buildSamplePackage(sampleCourseNames[0]));
        body.append('file', new Blob([new Uint8Array(file)]), 'package.zip');
      }
      return { body, headers: {} };
    }
    default:
      throw new Error(`no body of the type ${carrier} is supported`);
  }
}
