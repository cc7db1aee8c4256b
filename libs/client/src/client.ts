import { type Access, credentialsOf } from './access.ts';
import { listRecords } from './list-records.ts';
import type { Parameters, Result } from './operation-types.ts';
import { operationTable, type OperationId } from './operation-table.ts';
import { createSend, type RequestOptions } from './send.ts';

/** How a client reaches an installation. */
export interface ClientOptions {
  /** The API root, such as `https://registrar.example.com/api/v2`. */
  readonly baseUrl: string;
  /** The credentials of all requests. */
  readonly access: Access;
  /** The greatest number of repetitions of a request after 503, 504 and failures of the network; 4 by default. */
  readonly retries?: number;
}

const defaultRetries = 4;

type Table = typeof operationTable;

/** An operation whose records are read page by page. */
type PagedId = {
  [Id in OperationId]: Table[Id] extends readonly [string, string, 'paged'] ? Id : never;
}[OperationId];

type Arguments<P> =
  Record<never, never> extends P
    ? [parameters?: P, options?: RequestOptions]
    : [parameters: P, options?: RequestOptions];

type Call<Id extends OperationId> = Id extends PagedId
  ? Result<Id> extends readonly (infer Item)[]
    ? (...given: Arguments<Parameters<Id>>) => AsyncGenerator<Item, void, undefined>
    : never
  : (...given: Arguments<Parameters<Id>>) => Promise<Result<Id>>;

type ResourceOf<Id> = Id extends `${infer Resource}.${string}` ? Resource : never;
type IdOf<Resource extends string, Id> = Id extends `${Resource}.${infer Action}` ? Action : never;

/** The operations of the API by resource: `client.registrations.create(…)`. */
export type RegistrarClient = {
  readonly [R in ResourceOf<OperationId>]: {
    readonly [A in IdOf<R, OperationId>]: `${R}.${A}` extends OperationId
      ? Call<`${R}.${A}`>
      : never;
  };
};

/**
 * Creates a client of an installation. Its methods take the parameters of the contract by name, and return records;
 * lists are async iterables. They reject with a `RegistrarError`.
 */
export function createClient({
  baseUrl,
  access,
  retries = defaultRetries,
}: ClientOptions): RegistrarClient {
  const send = createSend(baseUrl, credentialsOf(access), retries);
  const client: Record<string, Record<string, unknown>> = {};
  for (const [id, [, , paged]] of Object.entries(operationTable) as [
    OperationId,
    readonly [string, string, 'paged'?],
  ][]) {
    const [resource = '', action = ''] = id.split('.');
    (client[resource] ??= {})[action] = (
      parameters: Readonly<Record<string, unknown>> = {},
      options?: RequestOptions,
    ) =>
      paged
        ? listRecords(send, id, parameters, options)
        : send(id, parameters, options).then((response) => response.json());
  }
  return client as unknown as RegistrarClient;
}
