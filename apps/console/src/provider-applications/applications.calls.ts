import type { BusClient } from '@registrar/bus';
import {
  Failure,
  id,
  listCrawls,
  listProviderApplicationSummaries,
  type Page,
  requireApplication,
} from '@registrar/contracts';
import { postbackUrl } from '@registrar/course-provider/postback-url';
import * as z from 'zod';
import { callPage, installationCall, realmCall } from '../calls/define-call.ts';

type Application = z.output<typeof listProviderApplicationSummaries.item>;
type Crawls = z.output<typeof listCrawls.item>;

/** A provider application with how far its crawls are; null until the crawler knows it. */
export interface ListedApplication extends Application {
  readonly crawls: Crawls | null;
}

/** Lists the provider applications of a realm, with how far their crawls are. */
export const listApplications = realmCall({
  role: 'administrator',
  live: 5,
  input: z.object({ ...callPage }),
  handle: async ({ bus }, { realm: realmGuid, ...page }) =>
    withCrawls(bus, await bus.page(listProviderApplicationSummaries, { realmGuid }, page)),
});

/** Lists the provider applications of all realms, with how far their crawls are. */
export const listAllApplications = installationCall({
  live: 5,
  input: z.object({ ...callPage }),
  handle: async ({ bus }, page) =>
    withCrawls(bus, await bus.page(listProviderApplicationSummaries, { realmGuid: null }, page)),
});

/** Shows a provider application, how far its crawls are, and where its provider sends postbacks. */
export const showApplication = realmCall({
  role: 'administrator',
  live: 2,
  input: z.object({ application: id }),
  handle: async ({ bus, scope, postbackBase }, { realm, application }) => {
    requireApplication(scope, application);
    const [found, crawls] = await Promise.all([
      findApplication(bus, realm, application),
      crawlsOf(bus, [application]),
    ]);
    return {
      application: found,
      crawls: crawls.get(application) ?? null,
      /** Null when the installation takes no postbacks. */
      postbackUrl: postbackBase === null ? null : postbackUrl(postbackBase, application),
    };
  },
});

/**
 * @param realmGuid null for any realm
 * @throws {Failure} `not-found`
 */
export async function findApplication(
  bus: BusClient,
  realmGuid: string | null,
  applicationId: number,
): Promise<Application> {
  const wanted = { realmGuid, applicationId };
  const page = { cursor: null, limit: 1 };
  const { items } = await bus.page(listProviderApplicationSummaries, wanted, page);
  if (!items[0]) throw new Failure('not-found', 'no such provider application');
  return items[0];
}

async function withCrawls(
  bus: BusClient,
  { items, next }: Page<Application>,
): Promise<Page<ListedApplication>> {
  const ids = items.map((application) => application.id);
  const crawls = await crawlsOf(bus, ids);
  return { items: items.map((item) => ({ ...item, crawls: crawls.get(item.id) ?? null })), next };
}

async function crawlsOf(bus: BusClient, ids: number[]): Promise<ReadonlyMap<number, Crawls>> {
  if (ids.length === 0) return new Map();
  const page = { cursor: null, limit: ids.length };
  const { items } = await bus.page(listCrawls, { applications: ids }, page);
  return new Map(items.map((crawls) => [crawls.application, crawls]));
}
