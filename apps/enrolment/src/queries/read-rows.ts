import { type QueryColumn } from '#libs/contracts';
import type pg from 'pg';
import Cursor from 'pg-cursor';
import { kindOf, valueOf } from './query-columns.ts';

/** A part of a result; the columns are the same in each. */
export interface Rows {
  readonly columns: QueryColumn[];
  /** Each a row as JSON text, its keys in the order of the columns. */
  readonly rows: string[];
}

/** Values are left as PostgreSQL writes them: what becomes of them depends on their column. */
const asText = { getTypeParser: () => (value: unknown) => value };

/**
 * Runs a query and reads its rows, `size` at a time. There is a first part even without rows.
 * The query ends when the consumer does.
 */
export async function* readRows(
  client: pg.PoolClient,
  query: { text: string; values: readonly (string | null)[] },
  size: number,
): AsyncGenerator<Rows, void, undefined> {
  const cursor = client.query(
    new Cursor<(string | null)[]>(query.text, [...query.values], {
      rowMode: 'array',
      types: asText,
    }),
  );
  const read = () =>
    new Promise<Rows & { complete: boolean }>((resolve, reject) => {
      cursor.read(size, (error, rows, result) => {
        if (error) return reject(error);
        const { fields } = result;
        resolve({
          columns: fields.map(({ name, dataTypeID }) => ({ name, kind: kindOf(dataTypeID) })),
          rows: rows.map((row) => jsonText(row, fields)),
          complete: rows.length < size,
        });
      });
    });
  // What fails, or is complete, has closed itself.
  let open = true;
  try {
    while (open) {
      open = false;
      const { complete, ...part } = await read();
      open = !complete;
      yield part;
    }
  } finally {
    if (open) await cursor.close();
  }
}

const jsonText = (row: readonly (string | null)[], fields: readonly pg.FieldDef[]): string =>
  JSON.stringify(
    Object.fromEntries(
      fields.map(({ name, dataTypeID }, index) => [name, valueOf(row[index] ?? null, dataTypeID)]),
    ),
  );
