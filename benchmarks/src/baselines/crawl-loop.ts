import { toTimestamp } from '@registrar/contracts';
import { connectCourseProvider } from '@registrar/course-provider';
import { openCrawlImport } from '@registrar/standalone/testing';
import { createHash } from 'node:crypto';

/**
 * Crawls all registrations of all applications of a provider in a loop: the same pages, applied by the same
 * statements, without bus, outbox or leases; four applications at a time, as a replica of the crawler. Begins
 * when it receives a message, and reports when it has finished.
 */
const applications = Number(process.env['PROVIDER_APPLICATIONS']);
const concurrency = 4;
const baseUrl = process.env['PROVIDER_URL'] ?? '';
const importCrawl = await openCrawlImport(process.env['DATABASE_URL'] ?? '');
let next = 1;
let sequence = 0;

process.once('message', () => {
  void Promise.all(Array.from({ length: concurrency }, crawlRest)).then(() =>
    process.send?.('done'),
  );
});
process.send?.('ready');

async function crawlRest(): Promise<void> {
  while (next <= applications) {
    const applicationId = next;
    next += 1;
    await crawl(applicationId);
  }
}

async function crawl(applicationId: number): Promise<void> {
  const provider = connectCourseProvider({
    baseUrl,
    appId: `scale-${applicationId}`,
    secretKey: 'unused',
  });
  let more: string | null = null;
  do {
    const page = await provider.getRegistrationPage({ crawlType: 'course' }, more);
    sequence += 1;
    await importCrawl.import({
      applicationId,
      realmId: 1,
      sequence,
      crawlType: 'course',
      crawledAt: toTimestamp(new Date()),
      outcomes: page.items.map((result) => ({
        outcome: 'crawled',
        registrationGuid: result.registrationGuid,
        result,
        digest: createHash('sha256').update(JSON.stringify(result)).digest('hex').slice(0, 32),
      })),
    });
    ({ more } = page);
  } while (more !== null);
}
