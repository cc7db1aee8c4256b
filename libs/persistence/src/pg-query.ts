import type { Duplex } from 'node:stream';
import pg from 'pg';

/*
 * What pg's client and its queries do for each other, which pg does not document. Its own pipeline mode
 * (the option `pipeline` of a client) cannot take the place of this: it completes each query by itself, so
 * that a statement would run, and commit, although the start of its transaction had failed; and it closes no
 * prepared statements.
 */

/** The messages of a connection to PostgreSQL, which pg's own types declare otherwise. */
export interface PgConnection {
  readonly stream: Duplex;
  /** The texts of the prepared statements, by name. */
  readonly parsedStatements: Record<string, string>;
  query(text: string): void;
  parse(message: { readonly text: string }): void;
  bind(message: object): void;
  execute(): void;
  close(message: { readonly type: 'S'; readonly name: string }): void;
  connect(portOrPath: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processId: number, secretKey: number): void;
}

/** A query of pg, with the methods that pg's client calls. */
export interface PgQuery {
  readonly text: string;
  /** A query with a name is prepared. */
  name: string | undefined;
  /** Whether the query uses the extended protocol: it has values or a name. */
  requiresPreparation(): boolean;
  /** Whether a query with a name has been prepared on the connection. */
  hasBeenParsed(connection: PgConnection): boolean;
  submit(connection: PgConnection): Error | null;
  handleCommandComplete(message: object, connection: PgConnection): void;
  handleError(error: Error, connection: PgConnection): void;
}

export const PgQuery = pg.Query as unknown as new (
  config: pg.QueryConfig,
  callback: (error: Error | null, result: pg.QueryResult) => void,
) => PgQuery;
