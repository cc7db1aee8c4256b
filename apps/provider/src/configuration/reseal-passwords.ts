import { Database, raw, sql } from '@registrar/persistence';
import { appLogger, type Logger, PeriodicTask } from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';
import * as z from 'zod';
import { SealConfiguration } from './seal-configuration.ts';

/** Passwords that are sealed anew in one transaction. */
const resealedAtOnce = 500;

const sealedRow = z.object({ id: z.number(), application: z.number(), password: z.string() });
type SealedRow = z.output<typeof sealedRow>;

/** A table with configurations. */
interface ConfiguredTable {
  readonly name: string;
  readonly key: string;
  /** Joins the table, `t`, with the one that names the application. */
  readonly join: string;
  readonly application: string;
}

const tables: readonly ConfiguredTable[] = [
  { name: 'applications', key: 'id', join: '', application: 't.id' },
  { name: 'courses', key: 'id', join: '', application: 't.application_id' },
  {
    name: 'course_versions',
    key: 'id',
    join: 'JOIN courses AS c ON c.id = t.course',
    application: 'c.application_id',
  },
  {
    name: 'registration_configurations',
    key: 'registration',
    join: 'JOIN registrations AS r ON r.id = t.registration',
    application: 'r.application_id',
  },
];

const passwordId = 'ApiRollupRegistrationAuthPassword';
const password = raw(`t.configuration ->> '${passwordId}'`);

/** Seals the passwords of postbacks under the first key of `LAUNCH_KEY_FILE`, so that others can be removed. */
@Injectable()
export class ResealPasswords {
  constructor(
    private readonly database: Database,
    private readonly sealing: SealConfiguration,
    @Inject(appLogger) private readonly logger: Logger,
  ) {}

  @PeriodicTask({
    name: 'seal passwords of postbacks anew',
    everyMs: 60 * 60_000,
    timeoutMs: 60_000,
  })
  async reseal(): Promise<void> {
    for (const table of tables) {
      let after = 0;
      for (let rows: SealedRow[] | null = null; !rows || rows.length === resealedAtOnce;) {
        rows = await this.resealAfter(table, after);
        after = rows.at(-1)?.id ?? after;
      }
    }
  }

  private resealAfter(table: ConfiguredTable, after: number): Promise<SealedRow[]> {
    const [name, key] = [raw(table.name), raw(`t.${table.key}`)];
    return this.database.transaction(async () => {
      const rows = await this.database.many(
        sealedRow,
        sql`SELECT ${key} AS id, ${raw(table.application)} AS application, ${password} AS password
            FROM ${name} AS t ${raw(table.join)}
            WHERE ${key} > ${after} AND ${password} <> ''
              AND NOT starts_with(${password}, ${this.sealing.prefix})
            ORDER BY ${key} LIMIT ${resealedAtOnce} FOR UPDATE OF t SKIP LOCKED`,
      );
      const resealed = rows.flatMap((row) => this.resealRow(table, row) ?? []);
      await this.database.execute(
        sql`UPDATE ${name} AS t
            SET configuration = t.configuration || jsonb_build_object(${passwordId}::text, s.sealed)
            FROM unnest(${resealed.map(({ id }) => id)}::bigint[],
                        ${resealed.map(({ sealed }) => sealed)}::text[]) AS s (id, sealed)
            WHERE ${key} = s.id`,
      );
      return rows;
    });
  }

  private resealRow(
    table: ConfiguredTable,
    row: SealedRow,
  ): { readonly id: number; readonly sealed: string } | null {
    try {
      const sealed = this.sealing.resealPassword({ id: row.application }, row.password);
      return { id: row.id, sealed };
    } catch (error) {
      const fields = { table: table.name, id: row.id, err: error };
      this.logger.warn(fields, 'LAUNCH_KEY_FILE does not open the password of a postback');
      return null;
    }
  }
}
