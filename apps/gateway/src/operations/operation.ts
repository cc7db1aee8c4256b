import type { BusClient } from '@registrar/bus';
import type { AccessScope, Page, Permission } from '@registrar/contracts';
import type { RecordDefinition, Row } from '@registrar/formats';
import * as z from 'zod';
import type { AllowedModes } from '../access/access-mode.ts';
import type { GrantedAccess } from '../access/access-resolver.ts';
import type { ParameterRules, ParsedParameters } from '../parameters/parse-parameters.ts';
import type { RequestParameters } from '../parameters/request-parameters.ts';
import type { CourseLists } from '../response-cache/course-lists.ts';

/** What the pipeline passes to an operation: access, bus, path and upload. */
export interface OperationContext extends Pick<GrantedAccess, 'scope' | 'applicationId'> {
  readonly bus: BusClient;
  readonly courseLists: CourseLists;
  /** The named parts of the path, such as `:id`; empty if it has none. */
  readonly path: Readonly<Record<string, string>>;
  /** The id of the package that the request has uploaded to the catalog, if any. */
  readonly uploadId: string | null;
  /** The response may be up to a minute old; false when the client demands a current one (contract/errors#age). */
  readonly mayBeOld: boolean;
}

/** The context and the parsed parameters of one request. */
export type OperationCall<Values> = OperationContext &
  ParsedParameters<Values> & { readonly given: RequestParameters };

/**
 * One record, or the pages of a list. `recordDefinition` is set by operations whose `record` is
 * null.
 */
export type OperationResult = (
  | { readonly record: Row }
  | { readonly pages: AsyncIterable<Page<Row>> }
) & {
  readonly recordDefinition?: RecordDefinition;
  /** The status of this response, if it differs; not with JSONP, where a script of it would not run. */
  readonly status?: 302;
};

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

interface OperationTraits extends AllowedModes {
  /** The operation's name in the contract, the log and the metrics. */
  readonly name: string;
  /** One sentence for the API reference. */
  readonly summary: string;
  /** The paths below the API root, without suffix, with their methods. */
  readonly routes: readonly { readonly method: Method; readonly path: string }[];
  /**
   * The `:id` at the end of its paths is a GUID or a name, which can contain dots, and not a number
   * (contract/formats#suffix-after-guid).
   */
  readonly hasTextId?: boolean;
  /** The parameter that names the item on the routes whose path does not. */
  readonly namedBy?: string;
  /**
   * The record of a successful response: a function where it depends on parameters or access, null
   * where only the result says.
   */
  readonly record:
    | RecordDefinition
    | ((given: RequestParameters, granted: GrantedAccess) => RecordDefinition)
    | null;
  /** Every definition that a `record` function can return, for the API reference. */
  readonly recordVariants?: readonly RecordDefinition[];
  /** The response is a list. */
  readonly list?: boolean;
  /** The records that a response shows, if it depends on no others but for a user-bound key. */
  readonly showsOnly?: 'courses' | 'templates';
  /** The operation changes courses or templates. */
  readonly changesCatalog?: boolean;
  /** The operation changes what an API key may do. */
  readonly changesAccess?: boolean;
  /** The status of a successful response; 200 by default. */
  readonly status?: 201;
  /** Error statuses in addition to those that every operation has, and to 404 where a request names an item. */
  readonly errorStatuses?: readonly number[];
  /**
   * Checks that a scope may call the operation with these parameters, so that 401 precedes the
   * checks of the parameters (contract/errors#order-of-checks). The context that does the work
   * makes the same check.
   *
   * @throws {Failure} `unauthenticated`
   */
  readonly requireAccess?: (scope: AccessScope, given: RequestParameters) => void;
  /** Whether the operation has an effect; by default if it has another method than GET. */
  readonly writes?: boolean;
  /**
   * The permission that an API key needs, null for none (contract/api-keys#permissions). By default
   * `write` for an operation that has an effect, else `read`.
   */
  readonly permission?: Permission | null;
  /** The deadline of the operation; 30 seconds by default. */
  readonly timeoutMs?: number;
  /** The multipart field `file` may carry a course package, or must. */
  readonly acceptsPackage?: true | 'required';
  /**
   * The parameter without which there is no item to act on. A request without it, or with a body that
   * cannot be read, returns 404 before any other parameter is checked
   * (contract/registrations#create-404-first).
   */
  readonly requiredItem?: string;
  /** `format` takes precedence over the suffix (contract/stored-queries#run-format). */
  readonly formatParameterFirst?: boolean;
}

/**
 * An operation of the API. Routes, parameter checks, metrics, the OpenAPI document and the suites
 * that cover every operation are derived from it.
 */
export interface Operation
  extends OperationTraits, ParameterRules, OperationWork<Record<string, unknown>> {
  /** Whether the operation has an effect. */
  readonly writes: boolean;
  /** The permission that an API key needs; null for none. */
  readonly permission: Permission | null;
}

/** What an operation does with its parsed parameters. */
interface OperationWork<Values> {
  /** Whether a request refreshes from the course provider before it responds; by default none does. */
  crawls?(parameters: Values): boolean;
  /** @throws {Failure} when the request fails */
  execute(call: OperationCall<Values>): Promise<OperationResult>;
}

/** Defines an operation; by default it has no parameters. */
export function defineOperation<Schema extends z.ZodObject>(
  definition: OperationTraits & Partial<ParameterRules<Schema>> & OperationWork<z.output<Schema>>,
): Operation {
  const {
    parameters = z.object({}),
    writes = definition.routes.some(({ method }) => method !== 'GET'),
    permission = writes ? 'write' : 'read',
  } = definition;
  return { ...definition, parameters, writes, permission };
}
