import { Database, raw, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import {
  effectiveConfiguration,
  joinConfigurations,
} from '../configuration/effective-configuration.ts';
import { configuration } from '../configuration/settings.ts';

/** How long a claimed postback belongs to its replica: longer than a delivery may take. */
const lease = raw(`interval '30 seconds'`);

const postbackRow = z.object({
  registration: z.number(),
  application_id: z.number(),
  registration_id: z.string(),
  change_id: z.string(),
  failures: z.number(),
  configuration,
});

/** A postback that this replica sends until its lease ends. */
export type ClaimedPostback = z.output<typeof postbackRow>;

const countRow = z.object({ count: z.number() });

/** Condition: the postback `p` is due, and no replica sends it. */
const isDue = sql`p.due_at <= now() AND (p.leased_until IS NULL OR p.leased_until <= now())`;

/** The rows of pending postbacks, as the sender claims and settles them. */
@Injectable()
export class PostbackRows {
  constructor(private readonly database: Database) {}

  /**
   * Claims due postbacks, at most one of each application, so that applications take turns. Those of
   * paused applications wait.
   *
   * @param served the applications whose turn was last, the latest one at the end: others come first
   * @param busy the applications that have no place left
   */
  claim(
    limit: number,
    served: readonly number[],
    busy: readonly number[],
  ): Promise<ClaimedPostback[]> {
    return this.database.many(
      postbackRow,
      sql`WITH turns AS (
            SELECT a.id FROM applications AS a
            WHERE NOT a.is_paused AND a.id <> ALL (${busy}::int[])
              AND EXISTS (SELECT FROM postbacks AS p WHERE p.application_id = a.id AND ${isDue})
            ORDER BY array_position(${served}::int[], a.id) NULLS FIRST LIMIT ${limit}
          ), claimed AS (
            SELECT next.registration FROM turns CROSS JOIN LATERAL (
              SELECT p.registration FROM postbacks AS p
              WHERE p.application_id = turns.id AND ${isDue}
              ORDER BY p.due_at LIMIT 1 FOR UPDATE SKIP LOCKED
            ) AS next
          )
          UPDATE postbacks AS p SET leased_until = now() + ${lease}, due_at = now() + ${lease}
          FROM claimed
          JOIN registrations AS r ON r.id = claimed.registration
          ${joinConfigurations}
          WHERE p.registration = claimed.registration
          RETURNING p.registration, p.application_id, r.registration_id, p.change_id, p.failures,
                    ${effectiveConfiguration} AS configuration`,
    );
  }

  /** Removes a postback that needs no more deliveries, unless the result has changed meanwhile. */
  async remove(postback: ClaimedPostback): Promise<void> {
    const { registration, change_id: changeId } = postback;
    const removed = await this.database.execute(
      sql`DELETE FROM postbacks WHERE registration = ${registration} AND change_id = ${changeId}`,
    );
    if (removed === 0) await this.release(postback, 0);
  }

  /** Counts a failed delivery, and repeats it after the delay, or when a newer change is due. */
  async postpone(postback: ClaimedPostback, delayMs: number): Promise<void> {
    await this.release(postback, delayMs, 1);
  }

  /** Ends the lease. The postback is due after the delay, a newer change when it is due itself. */
  async release(
    { registration, change_id: changeId }: ClaimedPostback,
    delayMs: number,
    failures = 0,
  ): Promise<void> {
    await this.database.execute(
      sql`UPDATE postbacks AS p SET
            leased_until = NULL,
            due_at = CASE WHEN change_id = ${changeId}
                       THEN now() + make_interval(secs => ${delayMs / 1_000}) ELSE due_at END,
            failures = CASE WHEN change_id = ${changeId}
                         THEN failures + ${failures} ELSE failures END
          WHERE registration = ${registration}`,
    );
  }

  async countPending(): Promise<number> {
    const { count } = await this.database.one(countRow, sql`SELECT count(*) FROM postbacks`);
    return count;
  }
}
