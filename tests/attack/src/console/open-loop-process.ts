import { Agent, request } from 'node:http';
import type { Observed } from '../bystander.ts';
import { sendAtRate } from '../send-at-rate.ts';

/** Requests that a client sends at a constant rate, whether earlier ones have been answered or not. */
export interface OpenLoop {
  /** They are sent in turn. */
  readonly requests: readonly {
    readonly url: string;
    readonly method: 'GET' | 'POST';
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  }[];
  readonly perSecond: number;
  readonly seconds: number;
  /** Of the loopback interface. */
  readonly address: string;
}

let sent = 0;

/** A process of its own, so that the work of attackers does not delay what another one measures. */
process.on('message', (load: OpenLoop) => {
  void run(load).then((observed) => process.send?.(observed));
});
process.once('disconnect', () => process.exit());
process.send?.('ready');

const run = ({ requests, perSecond, seconds, address }: OpenLoop): Promise<readonly Observed[]> =>
  sendAtRate({ perSecond, seconds }, (atMs) => {
    const next = requests[sent % requests.length]!;
    sent += 1;
    return send(next, address, atMs);
  });

/** Keeps connections, as a browser does. */
const agent = new Agent({ keepAlive: true });

function send(
  { url, method, headers, body }: OpenLoop['requests'][number],
  localAddress: string,
  atMs: number,
): Promise<Observed> {
  const begun = performance.now();
  const { host, port, pathname, search } = new URL(url);
  return new Promise((resolve) => {
    const end = (status: number) => resolve({ status, ms: performance.now() - begun, atMs });
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        path: pathname + search,
        method,
        agent,
        localAddress,
        headers: { host, ...headers },
        timeout: 30_000,
      },
      (response) => {
        response.resume();
        response.on('error', () => end(0));
        response.on('end', () => end(response.statusCode ?? 0));
      },
    );
    outgoing.on('timeout', () => outgoing.destroy());
    outgoing.on('error', () => end(0));
    outgoing.end(body);
  });
}
