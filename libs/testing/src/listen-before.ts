import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A port in front of a server. */
export interface Listener {
  /** The server's address, through the port. */
  readonly url: string;
  /** Closes every connection; the port goes on accepting new ones. */
  readonly breakAll: () => void;
  readonly close: () => Promise<void>;
}

/**
 * Listens in front of the server at `target`, such as `amqp://localhost:5672`. When a client or its connection to the
 * server ends, the other one does too.
 *
 * @param onClient forwards what the two send
 */
export async function listenBefore(
  target: string,
  onClient: (client: Socket, upstream: Socket) => void,
): Promise<Listener> {
  const { hostname, port } = new URL(target);
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    clients.add(client);
    client.on('close', () => clients.delete(client));
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.setNoDelay();
      one.on('error', () => one.destroy());
      one.on('close', () => other.destroy());
    }
    onClient(client, upstream);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const breakAll = () => clients.forEach((client) => client.destroy());
  return {
    url: url.href,
    breakAll,
    close: async () => {
      breakAll();
      server.close();
      await once(server, 'close');
    },
  };
}
