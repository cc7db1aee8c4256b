import { connect } from 'node:net';

/** A message that is no proper HTTP, or one that servers in a chain could understand differently. */
export interface MalformedHttp {
  readonly name: string;
  readonly bytes: Buffer;
}

const host = 'Host: localhost\r\n';
const path = '/api/v2/course.json';
const form = 'Content-Type: application/x-www-form-urlencoded\r\n';

/** RFC 9112, section 11: request smuggling and response splitting among them. */
export const malformedHttp: readonly MalformedHttp[] = (
  [
    ['no HTTP', 'hello\r\n\r\n'],
    ['TLS', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['HTTP/0.9', `GET ${path}\r\n\r\n`],
    ['an unknown version', `GET ${path} HTTP/3.7\r\n${host}\r\n`],
    ['no Host', `GET ${path} HTTP/1.1\r\n\r\n`],
    ['two Hosts', `GET ${path} HTTP/1.1\r\n${host}Host: other\r\n\r\n`],
    [
      'two lengths',
      `POST ${path} HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
    ],
    ['a negative length', `POST ${path} HTTP/1.1\r\n${host}Content-Length: -1\r\n\r\n`],
    [
      'a huge length',
      `POST ${path} HTTP/1.1\r\n${host}${form}Content-Length: ${'9'.repeat(30)}\r\n\r\n`,
    ],
    [
      'a length and chunks',
      `POST ${path} HTTP/1.1\r\n${host}${form}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'a wrong chunk',
      `POST ${path} HTTP/1.1\r\n${host}${form}Transfer-Encoding: chunked\r\n\r\nzz\r\na\r\n`,
    ],
    [
      'a long chunk extension',
      `POST ${path} HTTP/1.1\r\n${host}${form}Transfer-Encoding: chunked\r\n\r\n1;${'a'.repeat(70_000)}\r\na\r\n0\r\n\r\n`,
    ],
    ['an unknown coding', `POST ${path} HTTP/1.1\r\n${host}Transfer-Encoding: gzip\r\n\r\nabc`],
    ['a folded header', `GET ${path} HTTP/1.1\r\n${host}A: b\r\n c\r\n\r\n`],
    ['a space before the colon', `GET ${path} HTTP/1.1\r\n${host}A : b\r\n\r\n`],
    ['NUL in a header', `GET ${path} HTTP/1.1\r\n${host}A: b\u0000c\r\n\r\n`],
    ['bare line feeds', `GET ${path} HTTP/1.1\nHost: localhost\n\n`],
    ['a bare carriage return', `GET ${path} HTTP/1.1\r\n${host}A: b\rC: d\r\n\r\n`],
    ['300 KiB of headers', `GET ${path} HTTP/1.1\r\n${host}A: ${'a'.repeat(300 * 1024)}\r\n\r\n`],
    ['3,000 headers', `GET ${path} HTTP/1.1\r\n${host}${'A: b\r\n'.repeat(3_000)}\r\n`],
    ['an absolute URL', `GET http://other/api/v2/course.json HTTP/1.1\r\n${host}\r\n`],
    ['CONNECT', `CONNECT other:443 HTTP/1.1\r\n${host}\r\n`],
    ['bytes in the path', `GET /api/v2/\u00ff\u0080 HTTP/1.1\r\n${host}\r\n`],
    ['an upgrade', `GET ${path} HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n`],
    [
      'an expectation',
      `POST ${path} HTTP/1.1\r\n${host}${form}Content-Length: 3\r\nExpect: 200-maybe\r\n\r\na=b`,
    ],
    ['pipelined requests', `GET ${path} HTTP/1.1\r\n${host}\r\n`.repeat(50)],
    [
      'a body that ends early',
      `POST ${path} HTTP/1.1\r\n${host}${form}Content-Length: 50\r\n\r\nab`,
    ],
  ] as const
).map(([name, text]) => ({ name, bytes: Buffer.from(text, 'latin1') }));

/** What a server may answer: an error, or the request is a proper one after all. */
const allowed = new Set([200, 204, 400, 401, 404, 405, 408, 413, 414, 417, 431, 500, 501, 505]);
const waitMs = 500;

/**
 * Sends a message, and ends the connection when nothing more is to come.
 *
 * @returns what is wrong with the answers; null if nothing is, also when there is no answer
 */
export function sendMalformed(
  port: number,
  { name, bytes }: MalformedHttp,
): Promise<string | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host: '127.0.0.1', port, localAddress: '127.3.0.1' });
    const finish = () => {
      socket.destroy();
      const text = Buffer.concat(chunks).toString('latin1');
      const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) =>
        Number(status),
      );
      const wrong = statuses.find((status) => !allowed.has(status));
      resolve(wrong === undefined ? null : `malformed HTTP, ${name}: status ${wrong}`);
    };
    socket.setTimeout(waitMs, finish);
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', finish);
    socket.on('end', finish);
    socket.write(bytes);
  });
}
