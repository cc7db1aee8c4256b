import type { FailureCode } from '@registrar/contracts';
import type { FastifyReply } from 'fastify';

/** Who caused an error response: the contract gives both a client's mistake and a defect 500. */
export type RequestFault = 'client' | 'server';

const serverFaults: ReadonlySet<FailureCode> = new Set([
  'internal',
  'unavailable',
  'overloaded',
  'expired',
]);

/** Who caused a failure; without a code, it is an error of the client that only the gateway raises. */
export const faultOfFailure = (code: FailureCode | null): RequestFault =>
  code !== null && serverFaults.has(code) ? 'server' : 'client';

const faults = new WeakMap<FastifyReply, RequestFault>();

/** Remembers who caused the error response of a request, for its metrics. */
export const noteFault = (reply: FastifyReply, fault: RequestFault): void =>
  void faults.set(reply, fault);

/** Who caused the error response of a request; `none` for a successful one. */
export const faultOf = (reply: FastifyReply): RequestFault | 'none' => faults.get(reply) ?? 'none';
