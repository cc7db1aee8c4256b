import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Counter, type Registry } from 'prom-client';
import { clientNetworks, CountsOfNetworks, type HeldByClient } from './client-network.ts';
import type { HttpLimits } from './http-limits.ts';

interface Connection extends HeldByClient {
  readonly socket: Socket;
  /** The address, or IPv6 network of 64 bits, that counts as one client; undefined for a trusted proxy. */
  readonly client: string | undefined;
  /** How many requests are being handled. */
  requests: number;
}

/** The connections of one client without a request; the one that has been idle for the longest time comes first. */
interface IdleClient extends HeldByClient {
  readonly connections: Set<Connection>;
}

/**
 * Bounds the connections of a server: those of an address and its networks, and all together. Beyond the bound of its
 * address or network, a new one takes the place of the client's longest idle one, since browsers keep connections after
 * use; it is closed if the client has none. When all together are too many, an idle
 * connection of the client with the most is closed instead, so that no number of addresses keeps others
 * from connecting. A trusted proxy's connections are those of many clients: its address has no bound,
 * and they are not closed for others.
 */
export function limitConnections(
  server: Server,
  {
    maxConnections,
    maxConnectionsPerAddress,
    trustsPeer,
  }: Pick<HttpLimits, 'maxConnections' | 'maxConnectionsPerAddress' | 'trustsPeer'>,
  registry: Registry,
): void {
  const closed = new Counter({
    name: 'registrar_http_connections_refused_total',
    help: 'Connections closed because their address or network, or all together, had too many.',
    registers: [registry],
  });
  const open = new Map<Socket, Connection>();
  const counts = new CountsOfNetworks();
  /** By client; the one whose last connection became idle first comes first. */
  const idle = new Map<string, IdleClient>();
  const beginIdle = (connection: Connection) => {
    const { client, networks } = connection;
    if (client === undefined) return;
    const connections = idle.get(client)?.connections ?? new Set();
    idle.delete(client);
    idle.set(client, { networks, connections: connections.add(connection) });
  };
  const endIdle = (connection: Connection) => {
    const { client = '' } = connection;
    const connections = idle.get(client)?.connections;
    connections?.delete(connection);
    if (connections?.size === 0) idle.delete(client);
  };
  const forget = (connection: Connection) => {
    if (!open.delete(connection.socket)) return;
    endIdle(connection);
    counts.add(connection, -1);
  };
  const close = (connection: Connection) => {
    closed.inc();
    forget(connection);
    connection.socket.destroy();
  };
  server.on('connection', (socket) => {
    const { remoteAddress: peer = '' } = socket;
    const networks = trustsPeer(peer, 0) ? [] : clientNetworks(peer);
    const client = networks.at(-1)?.name;
    const connection: Connection = { networks, socket, client, requests: 0 };
    if (counts.isFull(connection, maxConnectionsPerAddress)) {
      const [ownIdle] = idle.get(client ?? '')?.connections ?? [];
      close(ownIdle ?? connection);
      if (!ownIdle) return;
    }
    open.set(socket, connection);
    counts.add(connection, 1);
    beginIdle(connection);
    socket.once('close', () => forget(connection));
    if (open.size <= maxConnections) return;
    const [longestIdle] = counts.firstOfLargest(idle.values())?.connections ?? [];
    close(longestIdle ?? connection);
  });
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const connection = open.get(socket);
    if (!connection) return;
    connection.requests += 1;
    endIdle(connection);
    response.once('close', () => {
      connection.requests -= 1;
      if (connection.requests === 0 && open.has(socket)) beginIdle(connection);
    });
  });
}
