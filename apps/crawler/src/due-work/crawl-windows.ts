import { Database, empty, sql, type Sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import type { CrawlStamp, ListClaim, TimeWindow } from './claim.ts';

const listRow = z.object({ items: z.number(), missing: z.number() });
/** SQL that lets the next crawl of a list in `due_crawls` begin at its first page. */
export const fromFirstPage = sql`
  more = NULL, sequence = NULL, started_at = NULL, items = 0, total = NULL, course_guids = '{}'`;

const restRow = z.object({ isLast: z.boolean() });

/** The numbers of items that were read, and that the provider counts beyond them. */
export type ReadItems = Readonly<z.output<typeof listRow>>;

/** The windows of lists that are divided. */
@Injectable()
export class CrawlWindows {
  constructor(private readonly database: Database) {}

  /** Replaces a list, or one of its windows, by windows. All are due at once. */
  async divide(
    claim: ListClaim,
    { sequence, at }: CrawlStamp,
    { total, windows }: { readonly total: number; readonly windows: readonly TimeWindow[] },
  ): Promise<void> {
    const { applicationId, kind, window } = claim;
    const firstPage = claim.firstPage ?? { sequence, at };
    if (window) await this.delete(claim);
    else {
      await this.database.execute(sql`
        UPDATE due_crawls
        SET due_at = 'infinity', failures = 0, more = NULL, items = 0, missing = 0, total = ${total},
            sequence = ${firstPage.sequence}, started_at = ${firstPage.at}
        WHERE application_id = ${applicationId} AND kind = ${kind}`);
    }
    // Windows of an earlier crawl, of another sequence.
    await this.database.execute(sql`
      DELETE FROM crawl_windows
      WHERE application_id = ${applicationId} AND kind = ${kind}
        AND sequence <> ${firstPage.sequence}`);
    const since = windows.map((each) => each.since);
    const until = windows.map((each) => each.until);
    await this.database.execute(sql`
      INSERT INTO crawl_windows (application_id, kind, sequence, since, until, repetitions)
      SELECT ${applicationId}, ${kind}, ${firstPage.sequence}, w.since, w.until, ${window?.repetitions ?? 0}
      FROM unnest(${since}::timestamptz[], ${until}::timestamptz[]) AS w (since, until)`);
  }

  /** Stores the place after a page of a window. */
  async advance(
    claim: ListClaim,
    page: { more: string; items: number; total: number | null },
  ): Promise<void> {
    await this.update(
      claim,
      sql`more = ${page.more}, items = items + ${page.items}, total = ${page.total}, due_at = now(), failures = 0`,
    );
  }

  /**
   * Removes a window whose last page was read.
   *
   * @returns the items of the whole list after the last window; null while others are left
   */
  async complete(claim: ListClaim, { items, missing }: ReadItems): Promise<ReadItems | null> {
    const { applicationId, kind, firstPage } = claim;
    await this.delete(claim);
    // Locks the list's row, so that of two last windows the second one sees that it is the last.
    const list = await this.database.maybeOne(
      listRow,
      sql`UPDATE due_crawls SET items = items + ${items}, missing = missing + ${missing}
          WHERE application_id = ${applicationId} AND kind = ${kind}
            AND sequence = ${firstPage?.sequence ?? null}
          RETURNING items, missing`,
    );
    if (!list) return null;
    const { isLast } = await this.database.one(
      restRow,
      sql`SELECT NOT EXISTS (
            SELECT FROM crawl_windows WHERE application_id = ${applicationId} AND kind = ${kind}
              AND sequence = ${firstPage?.sequence ?? null}
          ) AS "isLast"`,
    );
    return isLast ? list : null;
  }

  /** Makes a window due from its first page, because items were missing. */
  async repeat(claim: ListClaim): Promise<void> {
    await this.update(
      claim,
      sql`more = NULL, items = 0, total = NULL, failures = 0, due_at = now(), repetitions = repetitions + 1`,
    );
  }

  /** Schedules a retry of a window's page; with `restart`, of its first page. */
  async retry(
    claim: ListClaim,
    { delaySeconds, restart }: { readonly delaySeconds: number; readonly restart: boolean },
  ): Promise<void> {
    const begin = restart
      ? sql`, more = NULL, items = 0, total = NULL, restarts = restarts + 1`
      : empty;
    await this.update(
      claim,
      sql`failures = ${claim.failures + 1}, due_at = now() + ${delaySeconds} * interval '1 s'${begin}`,
    );
  }

  private async update({ applicationId, window }: ListClaim, changes: Sql): Promise<void> {
    await this.database.execute(sql`
      UPDATE crawl_windows SET ${changes}
      WHERE application_id = ${applicationId} AND id = ${window?.id ?? null}`);
  }

  private async delete({ applicationId, window }: ListClaim): Promise<void> {
    await this.database.execute(sql`
      DELETE FROM crawl_windows
      WHERE application_id = ${applicationId} AND id = ${window?.id ?? null}`);
  }
}
