import { inSpan, isTraced } from '@registrar/platform';
import type { DataSource } from 'typeorm';

/**
 * Runs a statement in a span, by OpenTelemetry's conventions for PostgreSQL. A statement outside of
 * a trace, such as polling for work, does not start one.
 *
 * @param sql a text whose values are parameters; null for a text that may hold personal data
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
