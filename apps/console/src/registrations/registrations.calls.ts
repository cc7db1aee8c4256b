import type { BusClient } from '@registrar/bus';
import {
  type AccessScope,
  Failure,
  findRegistrationCrawl,
  findRegistrationDetails,
  guid,
  indexRegistrations,
  launchRegistration,
  listAuditEntries,
  type ListedRegistrationRecord,
  recrawlRegistrations,
} from '@registrar/contracts';
import * as z from 'zod';
import { callPage, realmCall } from '../calls/define-call.ts';
import { registrationSelection, toIndexInput } from './registration-filters.ts';
import { timelinePage, timelinePlace } from './timeline.ts';

/** What a registration's page and the lists show of its record. */
const shownFields = ({
  course_result: _,
  full_result: __,
  custom: ___,
  ...record
}: ListedRegistrationRecord) => record;

/** Lists registrations, as the API's registration index does. */
export const listRegistrations = realmCall({
  role: 'reader',
  input: z.object({ ...callPage, ...registrationSelection }),
  handle: async ({ bus, scope }, { cursor, limit, realm: _, ...selection }) => {
    const input = { scope, ...toIndexInput(selection), mayBeOld: true };
    const page = { cursor, limit, alone: true };
    const { items, next, ageSeconds } = await bus.page(indexRegistrations, input, page);
    return { items: items.map(shownFields), next, ageSeconds: ageSeconds ?? 0 };
  },
});

/** A registration that its GUID names in a realm, inactive and deleted ones too. */
const named = { registration: guid };

/** @throws {Failure} `not-found`, also when several provider applications have the registration */
async function find(
  bus: BusClient,
  scope: AccessScope,
  registrationGuid: string,
): Promise<ListedRegistrationRecord> {
  const input = {
    scope,
    filters: { registrationGuid },
    lastOnly: false,
    includeInactive: true,
    includeDeleted: true,
  };
  const { items } = await bus.page(indexRegistrations, input, { cursor: null, limit: 2 });
  const [record, another] = items;
  if (record === undefined) throw new Failure('not-found', 'the realm has no such registration');
  if (another) throw new Failure('not-found', 'several provider applications have it');
  return record;
}

/** Shows a registration, without its activity report. */
export const showRegistration = realmCall({
  role: 'reader',
  input: z.object(named),
  live: 4,
  handle: async ({ bus, scope }, { registration: registrationGuid }) => {
    const [record, details] = await Promise.all([
      find(bus, scope, registrationGuid),
      bus.request(findRegistrationDetails, { scope, registrationGuid }),
    ]);
    const { custom } = record;
    return { ...shownFields(record), custom, details };
  },
});

/** Shows the activity report of a registration's newest result: XML, as the record of the API has it. */
export const showReport = realmCall({
  role: 'reader',
  input: z.object(named),
  handle: async ({ bus, scope }, { registration }) => {
    const { full_result, course_result } = await find(bus, scope, registration);
    return { report: full_result ?? course_result };
  },
});

/** Shows what happened to a registration, as far as the contexts keep it: the newest first, by pages of acts. */
export const showTimeline = realmCall({
  role: 'reader',
  input: z.object({
    ...named,
    /** The `next` of the page before; null for the first page. */
    after: timelinePlace.nullable().default(null),
    limit: callPage.limit,
  }),
  handle: async ({ bus, scope }, { realm, registration: registrationGuid, after, limit }) => {
    const record = await find(bus, scope, registrationGuid);
    const [details, crawl, acts] = await Promise.all([
      bus.request(findRegistrationDetails, { scope, registrationGuid }),
      bus.request(findRegistrationCrawl, {
        applicationId: record.hosted_app_id,
        registrationGuid,
      }),
      bus.page(
        listAuditEntries,
        {
          realmGuid: realm,
          since: null,
          until: null,
          action: null,
          apiKeyId: null,
          registrationGuid,
          afterId: null,
          newestFirst: true,
        },
        { cursor: after?.cursor ?? null, limit },
      ),
    ]);
    return { ...timelinePage(record, details, acts, after), nextCrawl: crawl.due_at };
  },
});

/** Refreshes the result of a registration from its provider. `recrawled` is 0 when the provider did not answer in time. */
export const recrawlRegistration = realmCall({
  role: 'author',
  changes: true,
  input: z.object(named),
  handle: async ({ bus, scope }, { registration: registrationGuid }) => {
    await find(bus, scope, registrationGuid);
    const filters = { registrationGuid };
    return bus.request(recrawlRegistrations, { scope, filters, lastOnly: false, which: 'all' });
  },
});

/** Makes a link that opens the course of a registration for reading: the provider records no progress. */
export const previewRegistration = realmCall({
  role: 'author',
  changes: true,
  input: z.object(named),
  handle: async ({ bus, scope }, { registration: registrationGuid }) => {
    const input = { scope, registrationGuid, review: true, redirectUrl: null };
    const { launch_url: url } = await bus.request(launchRegistration, input);
    return { url };
  },
});
