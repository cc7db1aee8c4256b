import {
  configureCrawls,
  crawlNow,
  listAdoptedRegistrations,
  listCrawlHistory,
  sweepApplications,
} from '@registrar/contracts';
import type { InputOf } from '@registrar/bus';
import type { Command } from 'commander';
import * as z from 'zod';
import { argumentOf, idArgument, timeArgument } from './arguments.ts';
import { addCommand, addGroup } from './command.ts';
import { withInstallation } from './installation.ts';
import { printCrawls, watchCrawls } from './crawl-status.ts';
import { Output } from './output.ts';
import { type Terminal, UsageError } from './terminal.ts';

interface Options {
  readonly json?: true;
}

/** `registrar crawl`: what the crawler reads from course providers. */
export function addCrawlCommands(program: Command, terminal: Terminal): void {
  const crawl = addGroup(program, 'crawl', 'see and steer what is read from course providers');

  addCommand(crawl, 'all', {
    description: 'read all registrations and courses of every provider application, now',
    examples: ['crawl all'],
  }).action(async ({ json }: Options) => {
    const output = new Output(terminal, json === true);
    const { applications } = await withInstallation(terminal, (bus) =>
      bus.request(sweepApplications, {}),
    );
    await output.record({ applications });
    output.note('See when it is done with: registrar crawl status');
  });

  addStatus(crawl, terminal);
  addNow(crawl, terminal);
  addSet(crawl, terminal);
  addPause(
    crawl,
    terminal,
    'pause',
    'pause the crawls in the background of a provider application',
  );
  addPause(crawl, terminal, 'resume', 'continue the crawls of a provider application');
  addHistory(crawl, terminal);

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
    .action(async ({ since, json }: Options & { since: string }) => {
      const output = new Output(terminal, json === true);
      const columns = [
        'adopted_at',
        'application',
        'registration_guid',
        'course_guid',
        'learner_id',
      ] as const;
      await withInstallation(terminal, (bus) =>
        output.list(bus.pages(listAdoptedRegistrations, { since }), columns),
      );
    });
}

const application = 'the id of the provider application';

function addStatus(crawl: Command, terminal: Terminal): void {
  addCommand(crawl, 'status', {
    description: 'show how far the crawls of each provider application are',
    examples: ['crawl status', 'crawl status 1 --watch', 'crawl status --json'],
  })
    .argument('[application]', application, idArgument)
    .option('--watch', 'show it again every second, until Ctrl-C')
    .action(async (id: number | undefined, { json, watch }: Options & { watch?: true }) => {
      const output = new Output(terminal, json === true);
      await withInstallation(terminal, (bus) =>
        watch
          ? watchCrawls(bus, id ?? null, { output, terminal })
          : printCrawls(bus, id ?? null, { output, json: json === true }),
      );
    });
}

function addNow(crawl: Command, terminal: Terminal): void {
  addCommand(crawl, 'now', {
    description: 'crawl what has changed at a provider application, now',
    examples: ['crawl now 1', 'crawl now 1 --sweep'],
  })
    .argument('<application>', application, idArgument)
    .option('--sweep', 'read all registrations and courses')
    .action(async (id: number, { json, sweep }: Options & { sweep?: true }) => {
      const output = new Output(terminal, json === true);
      const wanted = { application: id, sweep: sweep === true };
      await withInstallation(terminal, (bus) => bus.request(crawlNow, wanted));
      await output.record({ application: id, due: sweep ? 'sweep' : 'changes' });
      output.note(`See when it is done with: registrar crawl status ${id}`);
    });
}

const { limit, rate, interval, type } = configureCrawls.reply.shape;
const numberOf = (schema: z.ZodInt) =>
  argumentOf(z.string().regex(/^\d+$/, 'It is not a number.').transform(Number).pipe(schema));

interface SetOptions extends Options {
  readonly limit?: number;
  readonly rate?: number;
  readonly interval?: number;
  readonly type?: 'course' | 'full';
  readonly reset?: true;
}

function addSet(crawl: Command, terminal: Terminal): void {
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
      numberOf(limit.unwrap()),
    )
    .option(
      '--rate <calls>',
      'the most calls of crawls in any second, 1 to 1000',
      numberOf(rate.unwrap()),
    )
    .option(
      '--interval <seconds>',
      'the shortest interval of crawls, 5 to 86400',
      numberOf(interval.unwrap()),
    )
    .option('--type <type>', 'course or full', argumentOf(type.unwrap()))
    .option('--reset', 'return to the settings and defaults of the crawler')
    .action(async (id: number, { json, reset, ...given }: SetOptions) => {
      const isGiven = Object.keys(given).length > 0;
      if (isGiven === (reset === true)) {
        throw new UsageError('give --limit, --rate, --interval or --type, or --reset alone');
      }
      const wanted = reset ? { limit: null, rate: null, interval: null, type: null } : given;
      await configure(terminal, json === true, { application: id, ...wanted });
    });
}

function addPause(
  crawl: Command,
  terminal: Terminal,
  name: 'pause' | 'resume',
  description: string,
): void {
  addCommand(crawl, name, { description, examples: [`crawl ${name} 1`] })
    .argument('<application>', application, idArgument)
    .action((id: number, { json }: Options) =>
      configure(terminal, json === true, { application: id, paused: name === 'pause' }),
    );
}

/** Configures the crawls of an application, and prints the result. */
async function configure(
  terminal: Terminal,
  json: boolean,
  wanted: InputOf<typeof configureCrawls>,
): Promise<void> {
  const configured = await withInstallation(terminal, (bus) =>
    bus.request(configureCrawls, wanted),
  );
  await new Output(terminal, json).record({ application: wanted.application, ...configured });
}

function addHistory(crawl: Command, terminal: Terminal): void {
  addCommand(crawl, 'history', {
    description: 'list the finished crawls of a provider application, the newest first',
    examples: ['crawl history 1', 'crawl history 1 --json'],
  })
    .argument('<application>', application, idArgument)
    .option('--limit <number>', 'how many, up to 1000', numberOf(z.int().min(1).max(1_000)), 50)
    .action(async (id: number, { json, limit }: Options & { limit: number }) => {
      const output = new Output(terminal, json === true);
      const columns = ['finished_at', 'kind', 'outcome', 'items', 'seconds', 'error'] as const;
      await withInstallation(terminal, (bus) =>
        output.list(firstPage(bus.pages(listCrawlHistory, { application: id }, limit)), columns),
      );
    });
}

async function* firstPage<Page>(pages: AsyncIterable<Page>): AsyncIterable<Page> {
  for await (const page of pages) {
    yield page;
    return;
  }
}
