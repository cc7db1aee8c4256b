import { samplePackage, sampleNames } from '#libs/sample-courses';
import { type Answer, type Client, form, type Parameters } from '../conformance/client.ts';
import type { DocumentedOperation } from './open-api-document.ts';
import { alsoNeeded, type Facts } from './open-api-facts.ts';

/** How a request carries its parameters: `query`, a body's media type, or `package`: a form with a file. */
export type Carrier = string;

/** All ways in which the document lets an operation's parameters travel. */
export const carriersOf = ({ bodies }: DocumentedOperation): Carrier[] => [
  'query',
  ...Object.keys(bodies),
  ...(bodies['multipart/form-data']?.properties?.['file'] ? ['package'] : []),
];

/** Parameters that every operation has, which are tried one by one. */
export const generalParameters = ['fields', 'template', 'api_template', 'callback'];

/** The operation's own parameters: those that it needs, or all. */
export function parametersFor(
  operation: DocumentedOperation,
  facts: Facts,
  which: 'needed' | 'all',
): Parameters {
  const needed =
    operation.path.includes('{id}') && operation.name !== 'registration update'
      ? []
      : (alsoNeeded[operation.name] ?? []);
  const own = operation.parameters.filter(
    ({ in: place, name }) => place === 'query' && !generalParameters.includes(name),
  );
  const wanted = own.filter(
    ({ name, required }) => which === 'all' || required === true || needed.includes(name),
  );
  return Object.fromEntries(wanted.map(({ name }) => [name, facts.value(operation, name)]));
}

/** Sends the documented operation; `access` travels with the parameters. */
export async function sendDocumented(
  api: Client,
  operation: DocumentedOperation,
  request: {
    readonly format: string;
    readonly item: string;
    readonly access: Parameters;
    readonly parameters: Parameters;
    readonly carrier?: Carrier;
    readonly query?: Parameters;
  },
): Promise<Answer> {
  const { access, carrier = 'query', query = {} } = request;
  const path = operation.path
    .replace('{format}', request.format)
    .replace(/\{\w+\}/, encodeURIComponent(request.item));
  const parameters = { ...access, ...request.parameters };
  if (carrier === 'query') {
    return api.send(operation.method, path, { query: { ...parameters, ...query } });
  }
  const { body, headers } = await bodyFor(carrier, parameters);
  return api.send(operation.method, path, { query, body, headers, shown: request.parameters });
}

async function bodyFor(
  carrier: Carrier,
  parameters: Parameters,
): Promise<{ body: NonNullable<RequestInit['body']>; headers: Record<string, string> }> {
  switch (carrier) {
    case 'application/x-www-form-urlencoded':
      return { body: form(parameters), headers: {} };
    case 'application/json':
      return { body: JSON.stringify(parameters), headers: { 'content-type': carrier } };
    case 'multipart/form-data':
    case 'package': {
      const body = new FormData();
      for (const [name, value] of form(parameters)) body.append(name, value);
      if (carrier === 'package') {
        const file = await samplePackage(sampleNames[0]);
        body.append('file', new Blob([new Uint8Array(file)]), 'package.zip');
      }
      return { body, headers: {} };
    }
    default:
      throw new Error(`no body of the type ${carrier} can be made`);
  }
}
