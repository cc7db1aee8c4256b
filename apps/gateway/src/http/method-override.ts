import type { Method, Operation } from '../operations/operation.ts';
import {
  invalidParameter,
  type RequestParameters,
  singleValue,
} from '../parameters/request-parameters.ts';

/** A route of an operation. */
export interface OperationRoute {
  readonly operation: Operation;
  /** The operations that change something on the same path, by their methods. */
  readonly changes: ReadonlyMap<string, Operation>;
}

const methodOf = (text: string) => text.toUpperCase() as Method;

/**
 * The operation that a request with `_method` means: a POST means another method of its path
 * (contract/parameters#method-override).
 */
export function overriddenOperation(
  { operation, changes }: OperationRoute,
  method: string,
  given: RequestParameters,
): Operation {
  const [override = ''] = given.get('_method') ?? [];
  if (method !== 'POST') return operation;
  return changes.get(methodOf(override)) ?? operation;
}

/** @throws {Failure} `invalid` for a `_method` that the request cannot mean */
export function checkMethodOverride(
  { changes }: OperationRoute,
  method: string,
  given: RequestParameters,
): void {
  const override = singleValue(given, '_method');
  if (override === undefined || methodOf(override) === method) return;
  if (method !== 'POST') throw invalidParameter('_method', '_method is allowed with POST only');
  if (changes.has(methodOf(override))) return;
  const methods = [...changes.keys()].join(', ');
  throw invalidParameter('_method', `_method is none of the methods of this path: ${methods}`);
}
