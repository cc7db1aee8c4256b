import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { ContextSchema } from '../context-data-source.ts';
import type { Database } from '../database.ts';
import { sql } from '../sql.ts';
import { useDatabase } from './use-database.ts';

/**
 * Compares a context's entities with their tables in its migrated schema: columns, types, nullability, primary
 * keys, unique constraints and the foreign keys between them. Unique indexes of expressions, which
 * entities cannot describe, are not compared.
 */
export function describeEntities(schema: ContextSchema): void {
  describe(`the entities of ${schema.name}`, () => {
    const database = useDatabase(schema);

    it(`the entities of ${schema.name} match the migrated schema`, async () => {
      const described = entityTables(database());
      const migrated = await migratedTables(database(), [...described.keys()]);
      expect(Object.fromEntries(described)).toEqual(Object.fromEntries(migrated));
    });

    it(`the entities of ${schema.name} have sequences of the types of their id columns`, async () => {
      const narrower = await database().many(
        z.object({ column: z.string(), type: z.string(), sequenceType: z.string() }),
        sql`
          SELECT format('%s.%s', a.attrelid::regclass, a.attname) AS "column",
                 format_type(a.atttypid, NULL) AS type, format_type(s.seqtypid, NULL) AS "sequenceType"
          FROM pg_sequence AS s
          JOIN pg_depend AS d ON d.objid = s.seqrelid AND d.deptype IN ('a', 'i')
            AND d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass
          JOIN pg_class AS t ON t.oid = d.refobjid
          JOIN pg_attribute AS a ON a.attrelid = t.oid AND a.attnum = d.refobjsubid
          WHERE t.relnamespace = current_schema::regnamespace AND a.atttypid <> s.seqtypid`,
      );
      expect(narrower).toEqual([]);
    });
  });
}

interface TableShape {
  /** Type and nullability by name. */
  readonly columns: Readonly<Record<string, string>>;
  readonly primaryKey: string;
  readonly unique: readonly string[];
  readonly foreignKeys: readonly string[];
}

const columnText = (type: string, isNullable: boolean) => `${type}${isNullable ? '' : ' NOT NULL'}`;
const foreignKeyText = (key: {
  columns: readonly string[];
  table: string;
  references: readonly string[];
  onDelete: string;
}) => `(${key.columns.join()}) -> ${key.table} (${key.references.join()}) ${key.onDelete}`;

function entityTables({ dataSource }: Database): Map<string, TableShape> {
  return new Map(
    dataSource.entityMetadatas.map((entity) => [
      entity.tableName,
      {
        columns: Object.fromEntries(
          entity.columns.map((column) => [
            column.databaseName,
            columnText(
              `${withPrecision(dataSource.driver.normalizeType(column), column.precision)}${column.isArray ? '[]' : ''}`,
              column.isNullable,
            ),
          ]),
        ),
        primaryKey: names(entity.primaryColumns.map((column) => column.databaseName)),
        unique: [
          ...entity.uniques.map(({ columns }) => names(columns.map((c) => c.databaseName))),
          ...entity.indices
            .filter((index) => index.isUnique)
            .map(
              ({ columns, where }) =>
                `${names(columns.map((c) => c.databaseName))}${where ? ' partial' : ''}`,
            ),
        ].sort(),
        foreignKeys: entity.foreignKeys
          .map((key) =>
            foreignKeyText({
              columns: key.columnNames,
              table: key.referencedEntityMetadata.tableName,
              references: key.referencedColumnNames,
              onDelete: key.onDelete ?? 'NO ACTION',
            }),
          )
          .sort(),
      },
    ]),
  );
}

/** The type as PostgreSQL writes it, such as `timestamp(3) with time zone`. */
const withPrecision = (type: string, precision: number | null | undefined) =>
  precision == null ? type : type.replace(/^\w+/, `$&(${precision})`);

const names = (columns: readonly string[]) => [...columns].sort().join();

const tableRow = z.object({
  name: z.string(),
  columns: z.array(z.object({ name: z.string(), type: z.string(), nullable: z.boolean() })),
  uniqueKeys: z.array(
    z.object({ columns: z.array(z.string()), primary: z.boolean(), partial: z.boolean() }),
  ),
  foreignKeys: z.array(
    z.object({
      columns: z.array(z.string()),
      table: z.string(),
      references: z.array(z.string()),
      onDelete: z.string(),
    }),
  ),
});

async function migratedTables(
  database: Database,
  described: readonly string[],
): Promise<Map<string, TableShape>> {
  const tables = await database.many(
    tableRow,
    sql`
      SELECT t.relname AS name,
        (SELECT jsonb_agg(jsonb_build_object(
           'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
           'nullable', NOT a.attnotnull))
         FROM pg_attribute AS a
         WHERE a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
        (SELECT coalesce(jsonb_agg(jsonb_build_object(
           'columns', (SELECT jsonb_agg(a.attname) FROM pg_attribute AS a
                       WHERE a.attrelid = t.oid AND a.attnum = ANY (i.indkey)),
           'primary', i.indisprimary, 'partial', i.indpred IS NOT NULL)), '[]')
         FROM pg_index AS i
         WHERE i.indrelid = t.oid AND i.indisunique AND i.indexprs IS NULL) AS "uniqueKeys",
        (SELECT coalesce(jsonb_agg(jsonb_build_object(
           'columns', (SELECT jsonb_agg(a.attname ORDER BY k.n)
                       FROM unnest(c.conkey) WITH ORDINALITY AS k (num, n)
                       JOIN pg_attribute AS a ON a.attrelid = c.conrelid AND a.attnum = k.num),
           'table', f.relname,
           'references', (SELECT jsonb_agg(a.attname ORDER BY k.n)
                          FROM unnest(c.confkey) WITH ORDINALITY AS k (num, n)
                          JOIN pg_attribute AS a ON a.attrelid = c.confrelid AND a.attnum = k.num),
           'onDelete', CASE c.confdeltype WHEN 'c' THEN 'CASCADE' WHEN 'n' THEN 'SET NULL'
             WHEN 'd' THEN 'SET DEFAULT' WHEN 'r' THEN 'RESTRICT' ELSE 'NO ACTION' END)), '[]')
         FROM pg_constraint AS c JOIN pg_class AS f ON f.oid = c.confrelid
         WHERE c.conrelid = t.oid AND c.contype = 'f' AND c.conparentid = 0
           AND f.relname = ANY (${described})) AS "foreignKeys"
      FROM pg_class AS t
      WHERE t.relnamespace = current_schema::regnamespace AND t.relkind IN ('r', 'p')
        AND NOT t.relispartition AND t.relname = ANY (${described})`,
  );
  return new Map(
    tables.map(({ name, columns, uniqueKeys, foreignKeys }) => [
      name,
      {
        columns: Object.fromEntries(
          columns.map((column) => [column.name, columnText(column.type, column.nullable)]),
        ),
        primaryKey: names(uniqueKeys.find(({ primary }) => primary)?.columns ?? []),
        unique: uniqueKeys
          .filter(({ primary }) => !primary)
          .map((key) => `${names(key.columns)}${key.partial ? ' partial' : ''}`)
          .sort(),
        foreignKeys: foreignKeys.map(foreignKeyText).sort(),
      },
    ]),
  );
}
