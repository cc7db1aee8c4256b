import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { clientAddress, transportSecurityHeaders } from '@registrar/bootstrap';
import type { ErrorResponder } from './error-responder.ts';
import { fixedHeaders } from './response-headers.ts';

/** The limit of the request line and the headers. Large, because the query string may list learners. */
export const maxHeaderBytes = 256 * 1024;

const clientErrors: Readonly<Record<string, { status: number; reason: string } | undefined>> = {
  HPE_HEADER_OVERFLOW: {
    status: 500,
    reason: `the URL and the headers are larger than ${maxHeaderBytes / 1024} KiB`,
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, reason: 'the request did not arrive in time' },
};
const noHttp = { status: 400, reason: 'the input is not HTTP' };

/** The connection was reset, or ended within a request. */
const disconnected = new Set<string | undefined>(['ECONNRESET', 'HPE_INVALID_EOF_STATE']);

/**
 * Responds to input that Node cannot parse as an HTTP request, with an empty body. A URL that is
 * too long is a malformed argument (contract/errors#status-500); anything else is 400 or 408.
 */
export function handleClientError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  { errors, publicUrl }: { errors: ErrorResponder; publicUrl: string | undefined },
): void {
  // The request that was arriving is logged where its body is read.
  if (disconnected.has(error.code) || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, reason } = clientErrors[error.code ?? ''] ?? noHttp;
  // Browsers open connections in advance and may never use them.
  if (socket.bytesRead > 0)
    errors.logUnparsedRequest(status, reason, clientAddress(socket.remoteAddress ?? ''));
  const headers = {
    ...fixedHeaders,
    ...transportSecurityHeaders(publicUrl),
    connection: 'close',
    'content-length': '0',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`);
}
