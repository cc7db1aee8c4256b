import type { EventEmitter } from 'node:events';
import pg from 'pg';
import type { PgConnection } from './pg-query.ts';

/** What pg knows of a connection, of which its types declare a part. */
interface CancelledClient {
  readonly host: string;
  readonly port: number;
  readonly ssl: pg.ConnectionConfig['ssl'];
  readonly sslNegotiation: string;
  readonly processID: number;
  readonly secretKey: number;
}

/**
 * Asks PostgreSQL to cancel what a connection runs, by a connection of its own (PostgreSQL manual,
 * Canceling Requests in Progress). pg's own method sends the key of the connection without TLS.
 *
 * @returns a function that gives the request up
 */
export function requestCancel(client: pg.Client): () => void {
  const { host, port, ssl, sslNegotiation, processID, secretKey } =
    client as unknown as CancelledClient;
  const config = { ssl, sslNegotiation } as pg.ConnectionConfig;
  const request = new pg.Connection(config) as unknown as PgConnection & EventEmitter;
  // A request that fails leaves the statement to the caller, who disconnects.
  request.on('error', () => undefined);
  request.once(ssl ? 'sslconnect' : 'connect', () => request.cancel(processID, secretKey));
  if (ssl && sslNegotiation !== 'direct') request.once('connect', () => request.requestSsl());
  if (host.startsWith('/')) request.connect(`${host}/.s.PGSQL.${port}`);
  else request.connect(port, host);
  return () => void request.stream.destroy();
}
