import { type InputOf } from '@registrar/bus';
import { stubReply } from '@registrar/bus/testing';
import {
  findRegistrationCrawl,
  findRegistrationDetails,
  indexRegistrations,
  launchRegistration,
  listAuditEntries,
  type ListedRegistrationRecord,
  recrawlRegistrations,
} from '@registrar/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ConsoleFixture, ownRealm, startConsoleFixture } from '../console.fixture.ts';
import { registrationRecord } from './registrations.fixture.ts';

let console: ConsoleFixture;
let stored: ListedRegistrationRecord[] = [];
const asked = {
  index: [] as InputOf<typeof indexRegistrations>[],
  audit: [] as InputOf<typeof listAuditEntries>[],
  recrawl: [] as InputOf<typeof recrawlRegistrations>[],
  launch: [] as InputOf<typeof launchRegistration>[],
};
const details = {
  course_title: 'Sailing',
  provider_state: 'ready',
  initialize_attempts: 0,
  launch_open: null,
  launches_ended_at: null,
  invitations: [],
};
const act = {
  id: 9,
  occurred_at: '2026-03-04T00:00:00.000Z',
  realm_guid: ownRealm,
  actor: 'console',
  actor_id: null,
  actor_name: 'grace@example.com',
  client_address: null,
  request_id: 'deleted-1',
  action: 'registration.deleted',
  subject: { registration_guid: 'r-1' },
};
const olderAct = { ...act, id: 8, occurred_at: '2026-03-02T12:00:00.000Z' };

beforeAll(async () => {
  console = await startConsoleFixture({
    stubs: {
      identity: [
        stubReply(listAuditEntries, async (input) => {
          asked.audit.push(input);
          return input.limit === 1 && input.cursor === null
            ? { items: [act], next: 'c' }
            : { items: input.cursor === null ? [act] : [olderAct], next: null };
        }),
      ],
      enrolment: [
        stubReply(indexRegistrations, async (input) => {
          asked.index.push(input);
          return { items: stored, next: stored.length > 1 ? 'more' : null };
        }),
        stubReply(findRegistrationDetails, async () => details),
        stubReply(recrawlRegistrations, async (input) => {
          asked.recrawl.push(input);
          return { recrawled: 1 };
        }),
        stubReply(launchRegistration, async (input) => {
          asked.launch.push(input);
          return { launch_url: 'https://provider.example/launch' };
        }),
      ],
      crawler: [stubReply(findRegistrationCrawl, async () => ({ due_at: '2026-03-05T00:00:00Z' }))],
    },
  });
});
beforeEach(() => {
  stored = [registrationRecord()];
  for (const requests of Object.values(asked)) requests.length = 0;
});
afterAll(() => console.stop());

const call: ConsoleFixture['callInOwnRealm'] = (...given) => console.callInOwnRealm(...given);

describe('the list of registrations', () => {
  it('the list has the filters of the registration index, and leaves out the reports', async () => {
    stored = [registrationRecord(), registrationRecord({ id: 2 })];
    const filters = {
      learner: 'Ann@example.com',
      course: 'sailing',
      complete: 'complete',
      success: 'failed',
      updatedSince: '2026-01-01T00:00:00Z',
      createdSince: '2026-01-02T00:00:00Z',
      includeInactive: true,
      includeDeleted: false,
      sort: '-updated_at',
      limit: 20,
    };
    const { body } = await call('registrations.list', filters);
    expect(body).toMatchObject({ next: 'more', items: [{ id: 1 }, { id: 2 }] });
    const [first] = body['items'] as object[];
    expect(Object.keys(first!)).not.toContain('full_result');
    expect(Object.keys(first!)).not.toContain('custom');
    expect(asked.index).toMatchObject([
      {
        filters: {
          learnerId: 'Ann@example.com',
          courseGuid: 'sailing',
          complete: 'complete',
          success: 'failed',
          updatedSince: '2026-01-01T00:00:00Z',
          createdSince: '2026-01-02T00:00:00Z',
        },
        includeInactive: true,
        includeDeleted: false,
        lastOnly: false,
        sort: '-updated_at',
        cursor: null,
        limit: 20,
      },
    ]);
    expect(asked.index[0]?.count).toBeUndefined();
  });

  it('the list is read with the permissions of a reader', async () => {
    await call('registrations.list', {});
    expect(asked.index[0]?.scope).toMatchObject({ mode: 'realm', permissions: ['read'] });
  });
});

describe('a registration', () => {
  it('a registration is shown with what its record lacks', async () => {
    const { body } = await call('registrations.show', { registration: 'r-1' });
    expect(body).toMatchObject({ registration_guid: 'r-1', custom: { team: 'blue' }, details });
    expect(asked.index[0]).toMatchObject({
      filters: { registrationGuid: 'r-1' },
      includeInactive: true,
      includeDeleted: true,
    });
  });

  it('a registration is not found where no provider application has it, or several', async () => {
    stored = [];
    expect(await call('registrations.show', { registration: 'r-2' })).toMatchObject({
      status: 404,
    });
    stored = [registrationRecord(), registrationRecord({ id: 2, hosted_app_id: 2 })];
    expect(await call('registrations.show', { registration: 'r-1' })).toMatchObject({
      status: 404,
    });
  });

  it('the report is the full one, else that of the course', async () => {
    const show = () => call('registrations.show-report', { registration: 'r-1' });
    expect((await show()).body).toEqual({ report: '<rsp/>' });
    stored = [registrationRecord({ full_result: '<rsp stat="ok"/>' })];
    expect((await show()).body).toEqual({ report: '<rsp stat="ok"/>' });
  });
});

describe('the timeline of a registration', () => {
  it('the timeline has what happened, the newest first, with who did it', async () => {
    stored = [
      registrationRecord({
        crawl_error_msg: 'HTTP 500',
        provider_errcode: '500',
        number_of_crawl_errors: 3,
        updated_at: '2026-03-03T12:00:00Z',
      }),
    ];
    const { body } = await call('registrations.show-timeline', { registration: 'r-1' });
    expect(body).toEqual({
      nextCrawl: '2026-03-05T00:00:00Z',
      next: null,
      items: [
        {
          kind: 'act',
          at: act.occurred_at,
          action: 'registration.deleted',
          actor: 'console',
          actorId: null,
          actorName: 'grace@example.com',
          requestId: 'deleted-1',
        },
        {
          kind: 'crawl-failed',
          at: '2026-03-03T12:00:00Z',
          code: '500',
          message: 'HTTP 500',
          failures: 3,
        },
        {
          kind: 'crawled',
          at: '2026-03-03T00:00:00Z',
          crawlType: 'course',
          complete: 'incomplete',
          success: 'unknown',
          score: null,
          deleted: false,
        },
        { kind: 'launched', at: '2026-03-02T00:00:00Z' },
        { kind: 'created', at: '2026-03-01T00:00:00Z' },
      ],
    });
  });

  it('the timeline is read on, with what happened beside the acts of each page', async () => {
    const page = async (after?: unknown) => {
      const input = { registration: 'r-1', limit: 1, ...(after !== undefined && { after }) };
      const { body } = await call('registrations.show-timeline', input);
      const items = body['items'] as { readonly at: string }[];
      return { times: items.map(({ at }) => at), next: body['next'] };
    };
    const first = await page();
    expect(first).toEqual({
      times: [act.occurred_at],
      next: { at: act.occurred_at, cursor: 'c' },
    });
    expect(await page(first.next)).toEqual({
      times: [
        '2026-03-03T00:00:00Z',
        olderAct.occurred_at,
        '2026-03-02T00:00:00Z',
        '2026-03-01T00:00:00Z',
      ],
      next: null,
    });
    expect(asked.audit).toMatchObject([{ cursor: null }, { cursor: 'c' }]);
  });

  it('the audit log is asked for the realm and the registration alone', async () => {
    await call('registrations.show-timeline', { registration: 'r-1' });
    expect(asked.audit).toMatchObject([{ realmGuid: ownRealm, registrationGuid: 'r-1' }]);
  });

  it('the audit log is not asked when the realm has no such registration', async () => {
    stored = [];
    await call('registrations.show-timeline', { registration: 'r-1' });
    expect(asked.audit).toEqual([]);
  });
});

describe('changes of a registration', () => {
  it('recrawl and preview are refused to a reader', async () => {
    for (const name of ['registrations.recrawl', 'registrations.preview']) {
      expect(await call(name, { registration: 'r-1' })).toMatchObject({ status: 403 });
    }
    expect([...asked.recrawl, ...asked.launch]).toEqual([]);
  });

  it('recrawl refreshes the one registration', async () => {
    const { body } = await call('registrations.recrawl', { registration: 'r-1' }, 'author');
    expect(body).toEqual({ recrawled: 1 });
    expect(asked.recrawl).toMatchObject([{ filters: { registrationGuid: 'r-1' }, which: 'all' }]);
  });

  it('recrawl of an unknown registration crawls nothing', async () => {
    stored = [];
    const { status } = await call('registrations.recrawl', { registration: 'r-1' }, 'author');
    expect(status).toBe(404);
    expect(asked.recrawl).toEqual([]);
  });

  it('preview makes a link for reading only', async () => {
    const { body } = await call('registrations.preview', { registration: 'r-1' }, 'author');
    expect(body).toEqual({ url: 'https://provider.example/launch' });
    expect(asked.launch).toMatchObject([
      { registrationGuid: 'r-1', review: true, redirectUrl: null },
    ]);
  });
});
