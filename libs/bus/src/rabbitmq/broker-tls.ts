import { readFileSync } from 'node:fs';

/** The socket options of a connection to RabbitMQ that its URL states. */
export interface BrokerTls {
  /** Certificates of the only authorities that the broker's certificate may come from, as PEM. */
  readonly ca?: string;
  /** The name that the broker's certificate must have, instead of the URL's host. */
  readonly servername?: string;
}

/**
 * Reads the TLS options of an `amqps` URL from RabbitMQ's own query parameters (RabbitMQ manual, AMQP URI
 * Query Parameters): `cacertfile`, and `server_name_indication` for a broker behind a forwarded port.
 * Without `cacertfile` the authorities are those of Node. The certificate is always verified.
 *
 * Read the options anew for each connection: then a renewed authority needs no restart.
 *
 * @throws when the file cannot be read
 */
export function brokerTls(url: string): BrokerTls {
  const { searchParams } = new URL(url);
  const file = searchParams.get('cacertfile');
  const servername = searchParams.get('server_name_indication');
  return {
    ...(file && { ca: readFileSync(file, 'utf8') }),
    ...(servername && { servername }),
  };
}
