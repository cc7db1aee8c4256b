import type { FailureCode } from '@registrar/contracts';
import type { FastifyReply } from 'fastify';

/**
 * Who caused an error response: the contract gives both a client's mistake and a defect 500, and both an outage of the
 * course provider and one of our own 503.
 */
export type RequestFault = 'client' | 'provider' | 'server';

const serverFaults: ReadonlySet<FailureCode> = new Set([
  'internal',
  'unavailable',
  'overloaded',
  'expired',
]);

/**
 * Who caused a failure; without a code, it is an error of the client that only the gateway raises.
 *
 * @param ofProvider {@link Failure.ofProvider}
 */
export function faultOfFailure(code: FailureCode | null, ofProvider = false): RequestFault {
  if (code === null || !serverFaults.has(code)) return 'client';
  return ofProvider ? 'provider' : 'server';
}

const faults = new WeakMap<FastifyReply, RequestFault>();

/** Remembers who caused the error response of a request, for its metrics. */
export const noteFault = (reply: FastifyReply, fault: RequestFault): void =>
  void faults.set(reply, fault);

/** Who caused the error response of a request; `none` for a successful one. */
export const faultOf = (reply: FastifyReply): RequestFault | 'none' => faults.get(reply) ?? 'none';
