import {
  configureCrawls,
  crawlNow,
  id,
  listCrawlHistory,
  requireApplication,
} from '@registrar/contracts';
import * as z from 'zod';
import { callPage, realmCall } from '../calls/define-call.ts';

/** Lists the finished crawls of a provider application of the last week, the newest first. */
export const listHistory = realmCall({
  role: 'administrator',
  live: 5,
  input: z.object({ application: id, ...callPage }),
  handle: async ({ bus, scope }, { application, cursor, limit }) => {
    requireApplication(scope, application);
    return bus.page(listCrawlHistory, { application }, { cursor, limit });
  },
});

/** Makes the crawl of changes of a provider application due now, or a full sweep of it. */
export const crawlApplication = realmCall({
  role: 'administrator',
  changes: true,
  input: z.object({ application: id, sweep: z.boolean() }),
  handle: async ({ bus, scope }, { application, sweep }) => {
    requireApplication(scope, application);
    return bus.request(crawlNow, { application, sweep });
  },
});

const { limit, rate, interval, type, paused } = configureCrawls.reply.shape;

/** Sets how a provider application is crawled. What is absent stays as it is; null stands for the default. */
export const configureApplication = realmCall({
  role: 'administrator',
  changes: true,
  input: z.object({ application: id, limit, rate, interval, type, paused }).partial({
    limit: true,
    rate: true,
    interval: true,
    type: true,
    paused: true,
  }),
  handle: async ({ bus, scope }, { realm: _realm, ...wanted }) => {
    requireApplication(scope, wanted.application);
    return bus.request(configureCrawls, wanted);
  },
});
