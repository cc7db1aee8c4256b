import { HandleRequest, type InputOf, Outbox, type ReplyOf } from '@registrar/bus';
import { crawlNow, Failure, sweepApplications } from '@registrar/contracts';
import { Database, sql, type Sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { publishAct } from '../publish-act.ts';
import { fromFirstPage } from './crawl-windows.ts';

const applicationRow = z.object({ id: z.number(), realmId: z.number() });
type Application = z.output<typeof applicationRow>;

/** Makes crawls due on the operator's request. */
@Controller()
export class MakeCrawlsDue {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  @HandleRequest(sweepApplications)
  async sweepAll(): Promise<ReplyOf<typeof sweepApplications>> {
    const applications = await this.database.transaction(async () => {
      const { length } = await this.sweep(sql`true`);
      await publishAct(this.outbox, 'crawl.requested', null, { applications: length, sweep: true });
      return length;
    });
    return { applications };
  }

  /** @throws {Failure} `not-found` when the crawler does not know the application */
  @HandleRequest(crawlNow)
  async crawlNow({
    application,
    sweep,
  }: InputOf<typeof crawlNow>): Promise<ReplyOf<typeof crawlNow>> {
    await this.database.transaction(async () => {
      const [made] = await (sweep
        ? this.sweep(sql`id = ${application}`)
        : this.crawlChanges(application));
      if (!made) throw new Failure('not-found', 'the crawler knows no such application');
      const subject = { application_id: application, sweep };
      await publishAct(this.outbox, 'crawl.requested', made.realmId, subject);
    });
    return {};
  }

  /** Makes the crawl of changes of an application due, and returns the application; none if it is unknown. */
  private crawlChanges(application: number): Promise<Application[]> {
    return this.database.many(
      applicationRow,
      sql`UPDATE due_crawls
          SET due_at = CASE WHEN due_at = 'infinity' THEN due_at ELSE least(due_at, now()) END
          FROM applications AS a
          WHERE application_id = ${application} AND kind = 'changed-registrations' AND a.id = application_id
          RETURNING a.id, a.realm_id AS "realmId"`,
    );
  }

  /** Makes full sweeps of the chosen applications due, from their first pages, and returns the applications. */
  private async sweep(chosen: Sql): Promise<Application[]> {
    // A page that is being crawled belongs to an older sweep: the next epoch fences its writer.
    const applications = await this.database.many(
      applicationRow,
      sql`UPDATE applications SET lease_until = '-infinity', epoch = epoch + 1
          WHERE id IN (SELECT id FROM applications WHERE ${chosen} ORDER BY id FOR UPDATE)
          RETURNING id, realm_id AS "realmId"`,
    );
    const ids = applications.map(({ id }) => id);
    await this.database.execute(sql`
      DELETE FROM crawl_windows
      WHERE kind = 'all-registrations' AND application_id = ANY(${ids})`);
    await this.database.execute(sql`
      UPDATE due_crawls
      SET due_at = now(), failures = 0, ${fromFirstPage}
      WHERE kind IN ('all-registrations', 'courses') AND application_id = ANY(${ids})`);
    return applications;
  }
}
