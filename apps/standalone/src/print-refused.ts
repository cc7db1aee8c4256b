import type { RefusedRequest } from '@registrar/gateway';

/** Control characters, with which a request could write to the terminal as it likes. */
const controlCharacters = /\p{Cc}/gu;

/**
 * Prints a refused request in one line, since its response has no reason (contract/errors#empty-body).
 * Standard output of a process is synchronous, so nothing queues.
 */
export function printRefused({ status, method, path, reason, requestId }: RefusedRequest): void {
  const line = `${status} ${method} ${path}: ${reason} (request ${requestId})`;
  process.stdout.write(`${line.replaceAll(controlCharacters, '?')}\n`);
}
