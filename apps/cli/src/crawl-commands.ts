import { listAdoptedRegistrations, listSweeps, sweepApplications } from '@registrar/contracts';
import type { Command } from 'commander';
import { timeArgument } from './arguments.ts';
import { addCommand, addGroup } from './command.ts';
import { withInstallation } from './installation.ts';
import { Output } from './output.ts';
import type { Terminal } from './terminal.ts';

interface Options {
  readonly json?: true;
}

/** `registrar crawl`: what the crawler reads from course providers. */
export function addCrawlCommands(program: Command, terminal: Terminal): void {
  const crawl = addGroup(program, 'crawl', 'read everything from course providers, see what came');

  addCommand(crawl, 'all', {
    description: 'read all registrations and courses of every provider application, now',
    examples: ['crawl all'],
  }).action(async ({ json }: Options) => {
    const output = new Output(terminal, json === true);
    const { applications } = await withInstallation(terminal, (bus) =>
      bus.request(sweepApplications, {}),
    );
    await output.record({ applications });
    output.note('See when it is done with: registrar crawl list');
  });

  addCommand(crawl, 'list', {
    description: 'list how far the crawler is with all registrations and courses',
    examples: ['crawl list', 'crawl list --json'],
  }).action(async ({ json }: Options) => {
    const output = new Output(terminal, json === true);
    const times = ['registrations_at', 'courses_at'] as const;
    const columns = [
      'application',
      'registrations',
      times[0],
      'courses',
      times[1],
      'error',
    ] as const;
    await withInstallation(terminal, (bus) => output.list(bus.pages(listSweeps, {}), columns));
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
