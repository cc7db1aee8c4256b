import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Counter, type Registry } from 'prom-client';
import { type ClientNetwork, clientNetworks, compareHolders } from './client-network.ts';
import type { HttpLimits } from './http-limits.ts';

/** The open connections of an address or of a network. */
interface Network extends ClientNetwork {
  open: number;
}

/** An address, or an IPv6 network of 64 bits, and the larger networks that it is in. */
interface Client {
  /** The largest comes first, the client itself last. */
  readonly networks: readonly Network[];
  /** Connections without a request; the one that has been idle for the longest time comes first. */
  readonly idle: Set<Socket>;
}

interface Connection {
  readonly client: Client;
  /** How many requests are being handled. */
  requests: number;
}

/**
 * Bounds the connections of a server: those of an address and its networks, and all together. A new one
 * beyond the bound of its address or network is closed. When all together are too many, an idle
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
  const connections = new Connections(maxConnectionsPerAddress);
  const open = new Set<Socket>();
  const forget = (socket: Socket) => {
    open.delete(socket);
    connections.remove(socket);
  };
  const close = (socket: Socket) => {
    closed.inc();
    forget(socket);
    socket.destroy();
  };
  server.on('connection', (socket) => {
    const { remoteAddress: peer = '' } = socket;
    if (!trustsPeer(peer, 0) && !connections.add(socket, peer)) {
      close(socket);
      return;
    }
    open.add(socket);
    socket.once('close', () => forget(socket));
    if (open.size > maxConnections) close(connections.idleOfLargest() ?? socket);
  });
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    connections.beginRequest(socket);
    response.once('close', () => connections.endRequest(socket));
  });
}

/** The connections of clients by their networks. */
class Connections {
  readonly #networks = new Map<string, Network>();
  /** Those that have sent no request for the longest time come first. */
  readonly #clients = new Map<string, Client>();
  readonly #connections = new Map<Socket, Connection>();

  constructor(private readonly maxPerAddress: number) {}

  /** @returns false, without having added it, when its address or a network has too many */
  add(socket: Socket, address: string): boolean {
    const networks = clientNetworks(address).map(
      (network): Network => this.#networks.get(network.name) ?? { ...network, open: 0 },
    );
    if (networks.some(({ open, size }) => open >= size * this.maxPerAddress)) return false;
    for (const network of networks) {
      network.open += 1;
      this.#networks.set(network.name, network);
    }
    const name = nameOf(networks);
    const client = this.#clients.get(name) ?? { networks, idle: new Set() };
    this.#clients.set(name, client);
    client.idle.add(socket);
    this.#connections.set(socket, { client, requests: 0 });
    return true;
  }

  remove(socket: Socket): void {
    const client = this.#connections.get(socket)?.client;
    if (!client) return;
    this.#connections.delete(socket);
    client.idle.delete(socket);
    for (const network of client.networks) {
      network.open -= 1;
      if (network.open > 0) continue;
      this.#networks.delete(network.name);
      this.#clients.delete(network.name);
    }
  }

  beginRequest(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (!connection) return;
    connection.requests += 1;
    connection.client.idle.delete(socket);
  }

  endRequest(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (!connection) return;
    connection.requests -= 1;
    if (connection.requests > 0) return;
    const { client } = connection;
    client.idle.add(socket);
    const name = nameOf(client.networks);
    this.#clients.delete(name);
    this.#clients.set(name, client);
  }

  /**
   * The connection that has been idle for the longest time, of the client with the most: of the largest
   * network the largest within it, down to one client. Undefined if no client has one.
   */
  idleOfLargest(): Socket | undefined {
    const openOf = (name: string) => this.#networks.get(name)?.open ?? 0;
    let largest: Client | undefined;
    for (const client of this.#clients.values()) {
      if (client.idle.size === 0) continue;
      if (!largest || compareHolders(client.networks, largest.networks, openOf) > 0) {
        largest = client;
      }
    }
    const [first] = largest?.idle ?? [];
    return first;
  }
}

const nameOf = (networks: readonly Network[]): string => networks.at(-1)!.name;
