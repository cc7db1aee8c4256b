import { inSpan, isTraced } from '#libs/platform';
import type { DataSource } from 'typeorm';

/**
 * Runs a statement in a span, by OpenTelemetry's conventions for PostgreSQL. What no traced work
 * asks for, such as an app's looking for work, makes no trace of its own.
 *
 * @param sql a text of ours, whose values are parameters; null for one that somebody else wrote
 */
export async function inStatementSpan<T>(
  dataSource: DataSource,
  sql: string | null,
  run: () => Promise<T>,
): Promise<T> {
  if (!isTraced()) return run();
  const { url, schema } = dataSource.options as { url: string; schema: string };
  const { hostname, port, pathname } = new URL(url);
  const text = sql?.replaceAll(/\s+/g, ' ').trim();
  const operation = text?.split(' ', 1)[0]?.toUpperCase() ?? 'SELECT';
  return inSpan(
    {
      name: `${operation} ${schema}`,
      kind: 'client',
      attributes: {
        'db.system.name': 'postgresql',
        'db.namespace': `${pathname.slice(1)}|${schema}`,
        'db.operation.name': operation,
        ...(text !== undefined && { 'db.query.text': text }),
        'server.address': hostname,
        ...(port && { 'server.port': Number(port) }),
      },
    },
    run,
  );
}
