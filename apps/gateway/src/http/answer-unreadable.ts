import type { Socket } from 'node:net';

/**
 * Answers what Node cannot read as a request, without a word of what was sent. A query string that
 * is too long is a malformed argument (api-v2.md, Errors); the rest is no request of this API.
 */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = statuses[error.code ?? ''] ?? '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}

const statuses: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '500 Internal Server Error',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};
