import {
  configureCrawls,
  crawlNow,
  listAdoptedRegistrations,
  listCrawlHistory,
  listCrawls,
  sweepApplications,
} from '@registrar/contracts';
import type { InputOf } from '@registrar/bus';
import * as z from 'zod';
import { argumentOf, idArgument, numberArgument, timeArgument } from './arguments.ts';
import { addCommand, type Call, type OperatorCommand } from './command.ts';
import { crawlColumns, watchCrawls } from './crawl-status.ts';
import { UsageError } from './terminal.ts';

const application = 'the id of the provider application';
const { limit, rate, interval, type } = configureCrawls.reply.shape;

type SetOptions = Omit<InputOf<typeof configureCrawls>, 'application' | 'paused'> & {
  reset?: true;
};

/** `registrar crawl`: what the crawler reads from course providers. */
export function addCrawlCommands(program: OperatorCommand): void {
  const crawl = program
    .command('crawl')
    .description('see and steer what is read from course providers');

  addCommand(crawl, 'all', {
    description: 'read all registrations and courses of every provider application, now',
    examples: ['crawl all'],
  }).handle(async ({ output, ask }) => {
    const { applications } = await ask((bus) => bus.request(sweepApplications, {}));
    await output.record({ applications });
    output.note('See when it is done with: registrar crawl status');
  });

  addCommand(crawl, 'status', {
    description: 'show how far the crawls of each provider application are',
    examples: ['crawl status', 'crawl status 1 --watch', 'crawl status --json'],
  })
    .argument('[application]', application, idArgument)
    .option('--watch', 'show it again every second, until Ctrl-C')
    .handle((call, id: number | null = null, { watch }: { watch?: true }) => {
      const applications = id === null ? null : [id];
      return watch
        ? call.ask((bus) => watchCrawls(bus, applications, call))
        : call.list(listCrawls, { applications }, crawlColumns);
    });

  addCommand(crawl, 'now', {
    description: 'crawl what has changed at a provider application, now',
    examples: ['crawl now 1', 'crawl now 1 --sweep'],
  })
    .argument('<application>', application, idArgument)
    .option('--sweep', 'read all registrations and courses')
    .handle(async ({ output, ask }, id: number, { sweep }: { sweep?: true }) => {
      const wanted = { application: id, sweep: sweep === true };
      await ask((bus) => bus.request(crawlNow, wanted));
      await output.record({ application: id, due: sweep ? 'sweep' : 'changes' });
      output.note(`See when it is done with: registrar crawl status ${id}`);
    });

  addCommand(crawl, 'set', {
    description:
      'set how a provider application is crawled, instead of the settings and defaults of the crawler',
    examples: [
      'crawl set 1 --rate 25 --interval 60',
      'crawl set 1 --type full',
      'crawl set 1 --reset',
    ],
  })
    .argument('<application>', application, idArgument)
    .option(
      '--limit <calls>',
      'the most calls in any second, 1 to 10000, those for clients included',
      numberArgument(limit.unwrap()),
    )
    .option(
      '--rate <calls>',
      'the most calls of crawls in any second, 1 to 1000',
      numberArgument(rate.unwrap()),
    )
    .option(
      '--interval <seconds>',
      'the shortest interval of crawls, 5 to 86400',
      numberArgument(interval.unwrap()),
    )
    .option('--type <type>', 'course or full', argumentOf(type.unwrap()))
    .option('--reset', 'return to the settings and defaults of the crawler')
    .handle(async (call, id: number, { reset, ...given }: SetOptions) => {
      const isGiven = Object.keys(given).length > 0;
      if (isGiven === (reset === true)) {
        throw new UsageError('give --limit, --rate, --interval or --type, or --reset alone');
      }
      const wanted = reset ? { limit: null, rate: null, interval: null, type: null } : given;
      await configure(call, { application: id, ...wanted });
    });

  for (const [name, description] of [
    ['pause', 'pause the crawls in the background of a provider application'],
    ['resume', 'continue the crawls of a provider application'],
  ] as const) {
    addCommand(crawl, name, { description, examples: [`crawl ${name} 1`] })
      .argument('<application>', application, idArgument)
      .handle((call, id: number) => configure(call, { application: id, paused: name === 'pause' }));
  }

  addCommand(crawl, 'history', {
    description: 'list the finished crawls of a provider application, the newest first',
    examples: ['crawl history 1', 'crawl history 1 --json'],
  })
    .argument('<application>', application, idArgument)
    .option(
      '--limit <number>',
      'how many, up to 1000',
      numberArgument(z.int().min(1).max(1_000)),
      50,
    )
    .handle(async ({ output, ask }, id: number, { limit }: { limit: number }) => {
      const columns = ['finished_at', 'kind', 'outcome', 'items', 'seconds', 'error'] as const;
      await ask((bus) =>
        output.list(firstPage(bus.pages(listCrawlHistory, { application: id }, limit)), columns),
      );
    });

  addCommand(crawl, 'adopted', {
    description:
      'list the registrations that were found at course providers and were not known here',
    examples: ['crawl adopted --since 1h', 'crawl adopted --since 2026-11-01T08:00:00Z --json'],
  })
    .requiredOption(
      '--since <time>',
      'found from then on: 2026-11-01, 2026-11-01T08:00:00Z, or 7d, 12h, 30m',
      timeArgument,
    )
    .handle(({ list }, { since }: { since: string }) => list(listAdoptedRegistrations, { since }));
}

/** Configures the crawls of an application, and prints the result. */
async function configure(
  { output, ask }: Call,
  wanted: InputOf<typeof configureCrawls>,
): Promise<void> {
  const configured = await ask((bus) => bus.request(configureCrawls, wanted));
  await output.record({ application: wanted.application, ...configured });
}

async function* firstPage<Page>(pages: AsyncIterable<Page>): AsyncIterable<Page> {
  for await (const page of pages) {
    yield page;
    return;
  }
}
