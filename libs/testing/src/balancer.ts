import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP load balancer in front of several replicas. */
export interface Balancer {
  readonly url: string;
  readonly port: number;
  /** Sends no new connections to the replica with this index until it is restored. */
  drain(index: number): void;
  restore(index: number): void;
  /** Closes all connections and refuses new ones until {@link resume}. */
  interrupt(): void;
  resume(): void;
  close(): Promise<void>;
}

/**
 * Starts a round-robin balancer for the replicas that listen on `ports`. A replica that refuses a
 * connection is skipped, since nothing was sent to it yet.
 */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  let connectionCount = 0;
  const sockets = new Set<Socket>();
  const drained = new Set<number>();
  let isInterrupted = false;
  const server = createServer((client) => {
    if (isInterrupted) {
      client.resetAndDestroy();
      return;
    }
    sockets.add(client);
    client.on('error', () => client.destroy());
    client.on('close', () => sockets.delete(client));
    connectionCount += 1;
    const active = ports.filter((_, index) => !drained.has(index));
    forward(
      client,
      active.map((_, index) => active[(connectionCount + index) % active.length] ?? 0),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    drain: (index) => void drained.add(index),
    restore: (index) => void drained.delete(index),
    interrupt: () => {
      isInterrupted = true;
      for (const socket of sockets) socket.destroy();
    },
    resume: () => {
      isInterrupted = false;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function forward(client: Socket, [port, ...others]: readonly number[]): void {
  if (port === undefined) {
    client.destroy();
    return;
  }
  const replica = connect(port, 'localhost');
  let connected = false;
  replica.setNoDelay();
  client.setNoDelay();
  replica.on('connect', () => {
    connected = true;
    client.pipe(replica).pipe(client);
  });
  replica.on('error', () => {
    if (connected) client.destroy();
    else forward(client, others);
  });
  replica.on('close', () => connected && client.destroy());
  client.on('close', () => replica.destroy());
}
