import { once } from 'node:events';
import { createServer, request as send } from 'node:http';

export type ReverseProxy = Awaited<ReturnType<typeof startReverseProxy>>;

/**
 * Starts an HTTP proxy in front of the console, as installations have one: it passes the paths that begin with `prefix`
 * on as they are, and names the client in `X-Forwarded-For`.
 */
export async function startReverseProxy(options: {
  readonly port: number;
  readonly targetPort: number;
  readonly prefix: string;
}) {
  let isCut = false;
  const server = createServer((request, response) => {
    const { url = '', method, headers, socket } = request;
    if (isCut || !url.startsWith(`${options.prefix}/`)) {
      response.writeHead(isCut ? 502 : 404).end();
      return;
    }
    const forwarded = send(
      {
        host: '127.0.0.1',
        port: options.targetPort,
        path: url,
        method,
        headers: { ...headers, 'x-forwarded-for': socket.remoteAddress },
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
        answer.on('error', () => response.destroy());
      },
    );
    forwarded.on('error', () => response.destroy());
    response.on('close', () => forwarded.destroy());
    request.pipe(forwarded);
  }).listen(options.port);
  await once(server, 'listening');
  return {
    /** Breaks all connections, and answers with 502. */
    cut(): void {
      isCut = true;
      server.closeAllConnections();
    },
    restore(): void {
      isCut = false;
    },
    async stop(): Promise<void> {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
