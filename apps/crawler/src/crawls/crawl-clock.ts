import { Database, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import { type CrawlStamp } from '../due-work/claim.ts';

const stampRow = z.object({ sequence: z.number(), at: z.date() });

/** Stamps the requests of all replicas from one counter (`libs/contracts/src/crawler.ts`). */
@Injectable()
export class CrawlClock {
  constructor(private readonly database: Database) {}

  /** Returns the next stamp. It must be taken before the request is sent to the provider. */
  next(): Promise<CrawlStamp> {
    return this.database.one(
      stampRow,
      sql`SELECT nextval('crawl_sequence') AS sequence, clock_timestamp() AS at`,
    );
  }
}
