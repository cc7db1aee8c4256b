import type { RefusedRequest } from '@registrar/gateway';

/** Control characters, with which a request could write to the terminal as it likes. */
// oxlint-disable-next-line no-control-regex -- these very characters are meant
const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/g;

/** A refused request in one line, since its response has no reason (contract/errors#empty-body). */
const refusedLine = (request: RefusedRequest): string => {
  const { status, method, path, reason, requestId } = request;
  const line = `${status} ${method} ${path}: ${reason} (request ${requestId})`;
  return `${line.replaceAll(controlCharacters, '?')}\n`;
};

/** Prints a refused request. Standard output of a process is synchronous, so nothing queues. */
export function printRefused(request: RefusedRequest): void {
  process.stdout.write(refusedLine(request));
}
