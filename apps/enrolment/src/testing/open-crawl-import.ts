import { openDatabase } from '@registrar/persistence';
import { ApplyCrawl } from '../registrations/apply-crawl.ts';
import { ImportCrawl } from '../registrations/import-crawl.ts';
import { enrolmentSchema } from '../schema.ts';

/** Opens enrolment's part of a database, and imports outcomes of crawls into it without a bus. */
export async function openCrawlImport(databaseUrl: string): Promise<ImportCrawl> {
  const database = await openDatabase(enrolmentSchema, databaseUrl);
  return new ImportCrawl(database, new ApplyCrawl(database));
}
