import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** One address for several replicas. */
export interface Balancer {
  readonly url: string;
  /** Hands no more connections to the replica at this place, until it comes back. */
  leave(place: number): void;
  comeBack(place: number): void;
  close(): Promise<void>;
}

/**
 * Hands each connection to one of the replicas that listen on `ports`, in turn. One that takes no
 * connections is passed over, as any balancer does: nothing was sent to it yet.
 */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  let turn = 0;
  const sockets = new Set<Socket>();
  const leaving = new Set<number>();
  const server = createServer((client) => {
    sockets.add(client);
    client.on('error', () => client.destroy());
    client.on('close', () => sockets.delete(client));
    turn += 1;
    const staying = ports.filter((_, place) => !leaving.has(place));
    join(
      client,
      staying.map((_, place) => staying[(turn + place) % staying.length] ?? 0),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leave: (place) => void leaving.add(place),
    comeBack: (place) => void leaving.delete(place),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function join(client: Socket, [port, ...others]: readonly number[]): void {
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
    else join(client, others);
  });
  replica.on('close', () => connected && client.destroy());
  client.on('close', () => replica.destroy());
}
