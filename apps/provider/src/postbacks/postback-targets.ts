import { Database, type Sql, sql } from '@registrar/persistence';
import { appLogger, type Logger, PeriodicTask, Sealing } from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';
import * as z from 'zod';
import type { AuthenticatedApplication } from '../access-rules.ts';
import { openPassword, sealPassword } from './postback-password.ts';
import type { PostbackRequest } from './postback-request.ts';

/** Passwords that are sealed anew in one transaction. */
const resealedAtOnce = 500;

const sealedRow = z.object({
  registration: z.number(),
  application_id: z.number(),
  registration_id: z.string(),
  sealed_password: z.string(),
});
type SealedRow = z.output<typeof sealedRow>;

/** The URLs to which results of registrations are posted. Passwords are stored sealed. */
@Injectable()
export class PostbackTargets {
  constructor(
    private readonly database: Database,
    private readonly sealing: Sealing,
    @Inject(appLogger) private readonly logger: Logger,
  ) {}

  /** SQL that stores the target of the registration whose `id` the query `created` returns. */
  insertion(
    application: AuthenticatedApplication,
    registrationId: string,
    { url, authType, userName, password, resultsFormat }: PostbackRequest,
  ): Sql {
    const owner = { applicationId: application.id, registrationId };
    const sealed = sealPassword(this.sealing, password, owner);
    return sql`
      INSERT INTO postback_targets
        (registration, url, auth_type, user_name, sealed_password, results_format)
      SELECT id, ${url}, ${authType}, ${userName}, ${sealed}, ${resultsFormat} FROM created`;
  }

  /** Seals the passwords under the first key of `LAUNCH_KEY_FILE`, so that others can be removed. */
  @PeriodicTask({
    name: 'seal passwords of postbacks anew',
    everyMs: 60 * 60_000,
    timeoutMs: 60_000,
  })
  async reseal(): Promise<void> {
    let after = 0;
    for (let rows: SealedRow[] | null = null; !rows || rows.length === resealedAtOnce;) {
      rows = await this.resealAfter(after);
      after = rows.at(-1)?.registration ?? after;
    }
  }

  private resealAfter(registration: number): Promise<SealedRow[]> {
    return this.database.transaction(async () => {
      const rows = await this.database.many(
        sealedRow,
        sql`SELECT t.registration, r.application_id, r.registration_id, t.sealed_password
            FROM postback_targets AS t JOIN registrations AS r ON r.id = t.registration
            WHERE t.registration > ${registration}
              AND NOT starts_with(t.sealed_password, ${this.sealing.prefix})
            ORDER BY t.registration LIMIT ${resealedAtOnce} FOR UPDATE OF t SKIP LOCKED`,
      );
      const resealed = rows.flatMap((row) => this.resealRow(row) ?? []);
      await this.database.execute(
        sql`UPDATE postback_targets AS t SET sealed_password = s.sealed
            FROM unnest(${resealed.map((row) => row.registration)}::bigint[],
                        ${resealed.map((row) => row.sealed)}::text[]) AS s (registration, sealed)
            WHERE t.registration = s.registration`,
      );
      return rows;
    });
  }

  private resealRow({
    registration,
    application_id: applicationId,
    registration_id: registrationId,
    sealed_password: password,
  }: SealedRow): { readonly registration: number; readonly sealed: string } | null {
    const owner = { applicationId, registrationId };
    try {
      const opened = openPassword(this.sealing, password, owner);
      return { registration, sealed: sealPassword(this.sealing, opened, owner) };
    } catch (error) {
      const fields = { registration: registrationId, err: error };
      this.logger.warn(fields, 'LAUNCH_KEY_FILE does not open the password of a postback');
      return null;
    }
  }
}
