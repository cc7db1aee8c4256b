import { Failure } from '@registrar/contracts';
import { rejectionReason } from '../http/rejected-body.ts';
import type { RequestParameters } from '../parameters/request-parameters.ts';
import type { Operation } from './operation.ts';

/** @throws {Failure} `not-found` without the parameter {@link Operation.requiredItem} */
export function checkRequiredItem(requiredItem: string, given: RequestParameters): void {
  const values = given.get(requiredItem) ?? [];
  if (values.some((value) => value !== '')) return;
  throw new Failure('not-found', `${requiredItem} is not given`, undefined, {
    parameter: requiredItem,
  });
}

/**
 * The error of a body that cannot be read: `not-found` for an operation with
 * {@link Operation.requiredItem}, because its data were not posted
 * (contract/registrations#create-not-posted), else `fault` itself.
 */
export function unreadableBody({ requiredItem }: Operation, fault: Error): Error {
  if (requiredItem === undefined) return fault;
  const reason = fault instanceof Failure ? fault.message : rejectionReason(fault);
  return new Failure('not-found', reason);
}

/**
 * The error of a request that shows no access and cannot be read as a whole: `unauthenticated` for an
 * operation with {@link Operation.requiredItem} (contract/errors#order-of-checks), else `fault` itself.
 */
export function unreadableAccess({ requiredItem }: Operation, fault: Error): Error {
  if (requiredItem === undefined) return fault;
  const reason = `no access mode is given in what can be read: ${fault.message}`;
  return new Failure('unauthenticated', reason);
}
