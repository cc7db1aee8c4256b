import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { crawlNow, Failure, sweepApplications } from '@registrar/contracts';
import { Database, sql, type Sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { fromFirstPage } from './crawl-windows.ts';

/** Makes crawls due on the operator's request. */
@Controller()
export class MakeCrawlsDue {
  constructor(private readonly database: Database) {}

  @HandleRequest(sweepApplications)
  async sweepAll(): Promise<ReplyOf<typeof sweepApplications>> {
    return { applications: await this.sweep(sql`true`) };
  }

  /** @throws {Failure} `not-found` when the crawler does not know the application */
  @HandleRequest(crawlNow)
  async crawlNow({
    application,
    sweep,
  }: InputOf<typeof crawlNow>): Promise<ReplyOf<typeof crawlNow>> {
    const made = sweep
      ? await this.sweep(sql`id = ${application}`)
      : await this.database.execute(sql`
          UPDATE due_crawls
          SET due_at = CASE WHEN due_at = 'infinity' THEN due_at ELSE least(due_at, now()) END
          WHERE application_id = ${application} AND kind = 'changed-registrations'`);
    if (made === 0) throw new Failure('not-found', 'the crawler knows no such application');
    return {};
  }

  /** Makes full sweeps of the chosen applications due, from their first pages, and returns their number. */
  private sweep(chosen: Sql): Promise<number> {
    return this.database.transaction(async () => {
      // A page that is being crawled belongs to an older sweep: the next epoch fences its writer.
      const applications = await this.database.many(
        z.object({ id: z.number() }),
        sql`UPDATE applications SET lease_until = '-infinity', epoch = epoch + 1
            WHERE id IN (SELECT id FROM applications WHERE ${chosen} ORDER BY id FOR UPDATE)
            RETURNING id`,
      );
      const ids = applications.map(({ id }) => id);
      await this.database.execute(sql`
        DELETE FROM crawl_windows
        WHERE kind = 'all-registrations' AND application_id = ANY(${ids})`);
      await this.database.execute(sql`
        UPDATE due_crawls
        SET due_at = now(), failures = 0, ${fromFirstPage}
        WHERE kind IN ('all-registrations', 'courses') AND application_id = ANY(${ids})`);
      return applications.length;
    });
  }
}
