import type { Server } from 'node:http';
import { Counter, type Registry } from 'prom-client';
import { clientNetwork } from './client-network.ts';
import type { HttpLimits } from './http-limits.ts';

/** How many connections a server has open at a time. */
const maxConnections = 4_096;

/**
 * Closes connections beyond the bound of their address, and beyond that of the server. A trusted
 * proxy's connections are those of many clients, so its address has no bound.
 */
export function limitConnections(
  server: Server,
  { maxConnectionsPerAddress, trustsPeer }: HttpLimits,
  registry: Registry,
): void {
  const refused = new Counter({
    name: 'registrar_http_connections_refused_total',
    help: 'Connections closed at once because their address, or all together, had too many.',
    registers: [registry],
  });
  const open = new Map<string, number>();
  server.maxConnections = maxConnections;
  server.on('drop', () => refused.inc());
  server.on('connection', (socket) => {
    const { remoteAddress: peer = '' } = socket;
    if (trustsPeer(peer, 0)) return;
    const network = clientNetwork(peer);
    const count = open.get(network) ?? 0;
    if (count >= maxConnectionsPerAddress) {
      refused.inc();
      socket.destroy();
      return;
    }
    open.set(network, count + 1);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });
}
