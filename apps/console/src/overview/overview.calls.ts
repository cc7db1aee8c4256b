import * as z from 'zod';
import { installationCall } from '../calls/define-call.ts';
import { lookAtCrawls } from './crawls.ts';
import { findingsOf } from './findings.ts';
import type { AppOverview, Finding, History } from './overview.ts';

/** The apps with their replicas, rates, and outboxes. */
export const showApps = installationCall({
  input: z.object({}),
  live: 5,
  handle: async ({ installation }): Promise<{ readonly apps: readonly AppOverview[] }> => ({
    apps: installation.apps(),
  }),
});

/** The history of the whole installation, for sparklines: of the last hour by minutes, and of the last day by five minutes. */
export const showHistory = installationCall({
  input: z.object({}),
  live: 30,
  handle: async ({
    installation,
  }): Promise<{
    readonly source: 'samples' | 'prometheus';
    readonly hour: History;
    readonly day: History;
  }> => installation.history(),
});

/** How far crawls are behind: of the first thousand provider applications. */
export const showCrawls = installationCall({
  input: z.object({}),
  live: 15,
  handle: ({ bus }) => lookAtCrawls(bus),
});

/** What `registrar doctor` would say of what is known here. It knows more: databases, the broker, keys, disks and providers. */
export const showFindings = installationCall({
  input: z.object({}),
  live: 30,
  handle: async ({ bus, installation }): Promise<{ readonly findings: readonly Finding[] }> => ({
    findings: findingsOf(
      // Apps that a console which has just started has not heard of are not missing.
      installation.apps().filter(({ replicas }) => replicas.length > 0 || installation.hasHeardAll),
      await lookAtCrawls(bus),
    ),
  }),
});
