import { HandleRequest, type ReplyOf } from '@registrar/bus';
import { sweepApplications } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';

/** Makes full sweeps due on the operator's request. */
@Injectable()
export class SweepApplications {
  constructor(private readonly database: Database) {}

  @HandleRequest(sweepApplications)
  async sweep(): Promise<ReplyOf<typeof sweepApplications>> {
    return this.database.transaction(async () => {
      // A page that is being crawled belongs to an older sweep: the next epoch fences its writer.
      const applications = await this.database.many(
        z.object({ id: z.number() }),
        sql`UPDATE applications SET lease_until = '-infinity', epoch = epoch + 1
            WHERE id IN (SELECT id FROM applications ORDER BY id FOR UPDATE)
            RETURNING id`,
      );
      await this.database.execute(sql`
        UPDATE due_crawls
        SET due_at = now(), failures = 0, more = NULL, sequence = NULL, started_at = NULL,
            items = 0, course_guids = '{}'
        WHERE kind IN ('all-registrations', 'courses')`);
      return { applications: applications.length };
    });
  }
}
