import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { InputOf, ReplyOf } from '@registrar/bus';
import { stubReply } from '@registrar/bus/testing';
import {
  configureCrawls,
  crawlNow,
  createProviderApplication,
  Failure,
  listCrawlHistory,
  listCrawls,
  listProviderApplicationSummaries,
  rotateApplicationSecret,
  rotatePostbackSecret,
  showPostbackSecret,
  testProvider,
} from '@registrar/contracts';
import type * as z from 'zod';
import { currentRequestContext } from '@registrar/platform';
import type { CallName } from '../calls/calls.ts';
import { type ConsoleFixture, ownRealm, startConsoleFixture } from '../console.fixture.ts';
import type { ConsoleRoles } from '../sessions/roles.ts';

const at = '2026-02-03T04:05:06Z';
const realm = ownRealm;
const administrator: ConsoleRoles = { operator: false, realms: { [realm]: 'administrator' } };
const author: ConsoleRoles = { operator: false, realms: { [realm]: 'author' } };

const application = (id: number, realm_guid: string = realm) => ({
  id,
  name: `Application ${id}`,
  sc_app_id: `app-${id}`,
  url: 'https://provider.example.com',
  realm_id: 1,
  realm_guid,
  created_at: at,
  updated_at: at,
});
const applications = [application(1), application(2), application(3, 'foreign')];

const configuration = { limit: 50, rate: 25, interval: 60, type: null, paused: false };
const crawlsOf = (id: number): z.output<typeof listCrawls.item> => ({
  application: id,
  state: 'crawling',
  late_seconds: 0,
  changes_at: at,
  running: 'all-registrations',
  items: 10,
  expected: 40,
  windows: null,
  running_since: at,
  registrations: 'running',
  registrations_at: at,
  courses: 'done',
  courses_at: at,
  rate: 25,
  failures: 0,
  backing_off_until: null,
  configuration,
  error: null,
});

describe('the calls about provider applications', () => {
  let calls: ConsoleFixture;
  /** What the contexts were asked, by the name of the contract, with the user in whose name. */
  const asked: { contract: string; input: unknown; user: string | undefined }[] = [];
  let found: ReplyOf<typeof testProvider>;
  let storing: Failure | null;

  const noted = <Contract extends Parameters<typeof stubReply>[0]>(
    contract: Contract,
    reply: (input: InputOf<Contract>) => Promise<ReplyOf<Contract>>,
  ) =>
    stubReply(contract, async (input) => {
      asked.push({ contract: contract.name, input, user: currentRequestContext()?.consoleUser });
      return reply(input);
    });
  const inputsOf = (contract: { readonly name: string }) =>
    asked.filter((each) => each.contract === contract.name).map(({ input }) => input);

  beforeAll(async () => {
    calls = await startConsoleFixture({
      environment: { POSTBACK_URL: 'https://registrar.example.com' },
      stubs: {
        identity: [
          noted(listProviderApplicationSummaries, async ({ realmGuid, applicationId }) => ({
            items: applications.filter(
              ({ id, realm_guid }) =>
                (realmGuid === null || realm_guid === realmGuid) &&
                (applicationId === undefined || id === applicationId),
            ),
            next: null,
          })),
          noted(createProviderApplication, async () => {
            if (storing) throw storing;
            return { applicationId: 1, realmId: 1 };
          }),
          noted(showPostbackSecret, async () => ({ userName: 'postback', password: 'before' })),
          noted(rotatePostbackSecret, async () => ({ userName: 'postback', password: 'after' })),
        ],
        crawler: [
          noted(listCrawls, async ({ applications: wanted }) => ({
            items: (wanted ?? []).filter((id) => id !== 2).map(crawlsOf),
            next: null,
          })),
          noted(crawlNow, async () => ({})),
          noted(configureCrawls, async () => configuration),
          noted(listCrawlHistory, async () => ({ items: [], next: null })),
          noted(testProvider, async () => found),
        ],
        provider: [noted(rotateApplicationSecret, async () => ({}))],
      },
    });
  });
  beforeEach(() => {
    asked.length = 0;
    storing = null;
    found = { reachable: true, credentials_accepted: true, clock_skew_seconds: 0, fault: null };
  });
  afterAll(() => calls.stop());

  it('the lists of provider applications have the crawls of the page, and null for those that the crawler does not know', async () => {
    const listed = await calls.make('provider-applications.list', { realm }, administrator);
    expect(listed).toEqual({
      items: [
        { ...application(1), crawls: crawlsOf(1) },
        { ...application(2), crawls: null },
      ],
      next: null,
    });
    expect(inputsOf(listCrawls)).toEqual([{ applications: [1, 2], cursor: null, limit: 2 }]);
    const all = await calls.make('provider-applications.list-all', {});
    expect(all.items.map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  it('a provider application is shown with the address of its postbacks', async () => {
    expect(
      await calls.make('provider-applications.show', { realm, application: 1 }, administrator),
    ).toEqual({
      application: application(1),
      crawls: crawlsOf(1),
      postbackUrl: 'https://registrar.example.com/postbacks/1',
    });
  });

  /** Every call that names a provider application of a realm, with valid input. */
  const ofApplication = {
    'provider-applications.configure': { paused: true },
    'provider-applications.crawl': { sweep: false },
    'provider-applications.history': {},
    'provider-applications.replace-secret': { secretKey: 'a', overlapSeconds: 0, test: false },
    'provider-applications.rotate-postback': {},
    'provider-applications.show': {},
    'provider-applications.show-postback': {},
    'provider-applications.test': {},
  } as const satisfies Partial<Record<CallName, object>>;

  it.each(Object.entries(ofApplication))(
    '%s reaches no provider application of another realm, and no author makes it',
    async (name, input) => {
      const make = (id: number, roles: ConsoleRoles) =>
        calls.make(
          name as 'provider-applications.show',
          { realm, application: id, ...input },
          roles,
        );
      await expect(make(3, administrator)).rejects.toMatchObject({ code: 'unauthenticated' });
      await expect(make(1, author)).rejects.toMatchObject({ code: 'unauthenticated' });
      expect(asked).toEqual([]);
      await make(1, administrator);
      expect(asked.length).toBeGreaterThan(0);
    },
  );

  it.each([
    ['provider-applications.list-all', {}],
    ['provider-applications.rotate-own-secret', { application: 1, overlapSeconds: 0 }],
  ] as const)('%s is a call of operators alone', async (name, input) => {
    await expect(calls.make(name, input as never, administrator)).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    expect(asked).toEqual([]);
  });

  it('crawls are steered in the name of the user, and what is not given stays', async () => {
    const steer = { realm, application: 1 };
    await calls.make('provider-applications.crawl', { ...steer, sweep: true }, administrator);
    await calls.make('provider-applications.configure', { ...steer, rate: 5 }, administrator);
    await calls.make('provider-applications.configure', { ...steer, limit: null }, administrator);
    expect(asked).toEqual([
      { contract: crawlNow.name, input: { application: 1, sweep: true }, user: 'ada@example.com' },
      {
        contract: configureCrawls.name,
        input: { application: 1, rate: 5 },
        user: 'ada@example.com',
      },
      {
        contract: configureCrawls.name,
        input: { application: 1, limit: null },
        user: 'ada@example.com',
      },
    ]);
  });

  it('a secret key is stored after the provider has accepted it, with everything else as it was', async () => {
    const wanted = { realm, application: 1, secretKey: 'new-secret', overlapSeconds: 3_600 };
    await calls.make(
      'provider-applications.replace-secret',
      { ...wanted, test: true },
      administrator,
    );
    expect(inputsOf(testProvider)).toEqual([{ application: 1, secretKey: 'new-secret' }]);
    expect(inputsOf(createProviderApplication)).toEqual([
      {
        realmGuid: realm,
        name: 'Application 1',
        baseUrl: 'https://provider.example.com',
        appId: 'app-1',
        secretKey: 'new-secret',
        overlapSeconds: 3_600,
      },
    ]);
  });

  it('a secret key that the provider refuses is not stored, unless the test is left out', async () => {
    const wanted = { realm, application: 1, secretKey: 'new-secret', overlapSeconds: 0 };
    const replace = (test: boolean) =>
      calls.make('provider-applications.replace-secret', { ...wanted, test }, administrator);
    found = { ...found, credentials_accepted: false, fault: '401 Unauthorized' };
    await expect(replace(true)).rejects.toMatchObject({
      code: 'invalid',
      message: '401 Unauthorized. Nothing was stored.',
    });
    found = { ...found, reachable: false, credentials_accepted: null, fault: 'ECONNREFUSED' };
    await expect(replace(true)).rejects.toMatchObject({ code: 'unavailable' });
    expect(inputsOf(createProviderApplication)).toEqual([]);
    await replace(false);
    expect(inputsOf(createProviderApplication)).toHaveLength(1);
  });

  it('an application at Registrar’s own provider gets a new secret key at the provider first, which is shown even if it cannot be stored', async () => {
    const rotate = () =>
      calls.make('provider-applications.rotate-own-secret', { application: 3, overlapSeconds: 60 });
    const first = await rotate();
    expect(first).toEqual({
      secretKey: expect.stringMatching(/^[\w-]{43}$/) as string,
      fault: null,
    });
    expect(asked.map(({ contract }) => contract)).toEqual([
      listProviderApplicationSummaries.name,
      rotateApplicationSecret.name,
      createProviderApplication.name,
    ]);
    expect(inputsOf(rotateApplicationSecret)).toEqual([
      { appId: 'app-3', secretKey: first.secretKey, overlapSeconds: 60 },
    ]);
    expect(inputsOf(createProviderApplication)).toMatchObject([
      { realmGuid: 'foreign', appId: 'app-3', secretKey: first.secretKey, overlapSeconds: 60 },
    ]);
    storing = new Failure('unavailable', 'identity is away');
    const second = await rotate();
    expect(second.secretKey).not.toBe(first.secretKey);
    expect(second.fault).toBe('identity is away');
  });
});
