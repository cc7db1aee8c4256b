import type { Logger } from '@registrar/platform';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { clientAddress, clientNetwork } from './client-network.ts';

/** The shortest time between two log lines about one client network, and how many networks that is kept of. */
const logIntervalMs = 10_000;
const maxLoggedNetworks = 1_000;

/** Whether the client of a request has disconnected: nobody reads the response. */
export const isDisconnected = ({ raw }: FastifyRequest): boolean => raw.socket.destroyed;

/** Logs requests that failed because their client disconnected, at an interval for each client network. */
export class DisconnectLog {
  readonly #logged = new LRUCache<string, true>({ max: maxLoggedNetworks, ttl: logIntervalMs });

  constructor(private readonly logger: Logger) {}

  record({ id, ip }: FastifyRequest, more: Readonly<Record<string, unknown>>): void {
    const network = clientNetwork(ip);
    if (this.#logged.has(network)) return;
    this.#logged.set(network, true);
    const from = { request_id: id, client_address: clientAddress(ip) };
    this.logger.info({ ...from, ...more }, 'the client of a request has disconnected');
  }
}
