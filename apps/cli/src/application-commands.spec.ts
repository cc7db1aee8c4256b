import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type InputOf } from '@registrar/bus';
import {
  createProviderApplication,
  createRealm,
  Failure,
  listProviderApplicationSummaries,
  listRealms,
  putApplication,
  rotateApplicationSecret,
  rotateLaunchKey,
} from '@registrar/contracts';
import { stubReply } from '@registrar/bus/testing';
import { answerOf, type OperatorFixture, run, startOperatorFixture } from './operator.fixture.ts';

const realm = {
  id: 7,
  guid: 'one',
  name: 'Realm one',
  provider_applications: 0,
  users: 0,
  created_at: '2026-01-01T00:00:00Z',
  disabled_at: null,
  compatibility: null,
  user_licenses: false,
};

describe('applications at our own course provider, over the socket of npm start', () => {
  let operator: OperatorFixture;
  const accounts: InputOf<typeof putApplication>[] = [];
  const joined: InputOf<typeof createProviderApplication>[] = [];
  const rotations: boolean[] = [];
  const replaced: InputOf<typeof rotateApplicationSecret>[] = [];
  let joining: () => void = () => undefined;

  beforeAll(async () => {
    operator = await startOperatorFixture(null, {
      identity: [
        stubReply(listRealms, async () => ({ items: [realm], next: null })),
        stubReply(listProviderApplicationSummaries, async () => ({
          items: [
            {
              id: 4,
              name: 'Pool',
              sc_app_id: 'app-4',
              url: 'http://provider:8090',
              realm_id: 7,
              realm_guid: 'one',
              created_at: '2026-01-01T00:00:00Z',
              updated_at: '2026-01-01T00:00:00Z',
            },
          ],
          next: null,
        })),
        stubReply(createRealm, async () => ({
          realmId: 7,
          realmGuid: 'one',
          realmSecretKey: 'a new secret',
        })),
        stubReply(createProviderApplication, async (input) => {
          joining();
          joined.push(input);
          return { applicationId: 4, realmId: 7 };
        }),
      ],
      provider: [
        stubReply(putApplication, async (input) => {
          accounts.push(input);
          return {};
        }),
        stubReply(rotateApplicationSecret, async (input) => {
          replaced.push(input);
          return {};
        }),
        stubReply(rotateLaunchKey, async ({ endLinks }) => {
          rotations.push(endLinks);
          return { kid: 'next' };
        }),
      ],
    });
  });
  beforeEach(() => {
    accounts.length = 0;
    joined.length = 0;
    replaced.length = 0;
    joining = () => undefined;
  });
  afterAll(() => operator.stop());

  it('rotates the key of launch URLs, and ends those that were signed before on demand', async () => {
    for (const [words, before] of [
      [[], 'open until they expire'],
      [['--end-links'], 'ended'],
    ] as const) {
      const rotated = await operator.run(['launch-key', 'rotate', '--json', ...words]);
      expect(answerOf(rotated)).toEqual({ kid: 'next', links_before: before });
    }
    expect(rotations).toEqual([false, true]);
  });

  const shown = () => ({
    course_provider_id: 4,
    sc_app_id: accounts[0]?.appId,
    sc_secret_key: accounts[0]?.secretKey,
    url: 'http://localhost:8090',
  });

  it('application create makes an account and adds it to the realm', async () => {
    const create = ['application', 'create', '--realm', 'one', '--name', 'Pool', '--json'];
    const made = answerOf(await operator.run(create));
    expect(accounts).toEqual([
      {
        appId: expect.stringMatching(/^app-[0-9a-f]{12}$/),
        name: 'Pool',
        secretKey: expect.stringMatching(/^[\w-]{43}$/),
        registrationLimit: null,
      },
    ]);
    expect(made).toEqual({ realm_id: 7, ...shown() });
    const { appId, secretKey } = accounts[0]!;
    const baseUrl = 'http://localhost:8090';
    expect(joined).toEqual([{ realmGuid: 'one', name: 'Pool', baseUrl, appId, secretKey }]);
  });

  it.each([
    [[], 86_400],
    [['--overlap', '2h'], 7_200],
  ])(
    'application rotate %j gives both sides the same new secret key',
    async (words, overlapSeconds) => {
      const rotated = await operator.run(['application', 'rotate', '4', '--json', ...words]);
      const [{ secretKey } = { secretKey: '' }] = replaced;
      expect(answerOf(rotated)).toEqual({ id: 4, sc_app_id: 'app-4', sc_secret_key: secretKey });
      const changed = { appId: 'app-4', secretKey, overlapSeconds };
      expect(replaced).toEqual([changed]);
      const baseUrl = 'http://provider:8090';
      expect(joined).toEqual([{ realmGuid: 'one', name: 'Pool', baseUrl, ...changed }]);
    },
  );

  it('application rotate shows the new secret key even if it cannot be stored', async () => {
    joining = () => {
      throw new Failure('unavailable', 'the database is away');
    };
    const ended = await operator.run(['application', 'rotate', '4', '--json']);
    expect(ended.code).toBe(1);
    expect(JSON.parse(ended.stdout)).toMatchObject({ sc_secret_key: replaced[0]?.secretKey });
    expect(ended.stderr).toContain('Try: registrar provider rotate 4');
  });

  it('application rotate refuses an overlap without a unit', async () => {
    const ended = await operator.run(['application', 'rotate', '4', '--overlap', '2']);
    expect([ended.code, replaced]).toEqual([2, []]);
  });

  it('application create makes no account for an unknown realm', async () => {
    const ended = await operator.run(['application', 'create', '--realm', 'two']);
    expect(ended).toEqual({ code: 1, stdout: '', stderr: 'registrar: no such realm\n' });
    expect(accounts).toEqual([]);
  });

  it('application create uses PROVIDER_URL, or the address that npm start has noted', async () => {
    const urlWith = async (settings: Record<string, string>) => {
      const environment = { ...operator.environment, ...settings };
      const create = ['application', 'create', '--realm', 'one', '--json'];
      return (answerOf(await run(create, { environment })) as { url: string }).url;
    };
    expect(await urlWith({ PROVIDER_URL: 'http://provider:8090' })).toBe('http://provider:8090');
    const facts = {
      base_url: 'http://localhost:8080/api/v2',
      realm_guid: 'one',
      realm_secret_key: 's',
      sc_app_id: 'a',
      sc_secret_key: 's',
      course_guid: 'c',
      provider_url: 'http://localhost:18090',
    };
    await operator.file('quickstart.json', JSON.stringify(facts));
    expect(await urlWith({})).toBe('http://localhost:18090');
    await operator.remove('quickstart.json');
  });

  it('realm create --with-application shows the realm and its application', async () => {
    const create = ['realm', 'create', 'Pool', '--with-application'];
    const made = answerOf(await operator.run([...create, '--json']));
    expect(made).toEqual({
      realm_id: 7,
      realm_guid: 'one',
      realm_secret_key: 'a new secret',
      ...shown(),
    });
    expect((await operator.run(create)).stderr).toContain('The secret keys are shown this once');
  });

  it('realm create without it makes no account', async () => {
    const made = answerOf(await operator.run(['realm', 'create', 'Pool', '--json']));
    expect(Object.keys(made as object)).toEqual(['realm_id', 'realm_guid', 'realm_secret_key']);
    expect(accounts).toEqual([]);
  });

  it('realm create shows the new realm’s secret key even if its application cannot be added', async () => {
    joining = () => {
      throw new Failure('unavailable', 'the database is away');
    };
    const { code, stdout, stderr } = await operator.run([
      ...['realm', 'create', 'Pool', '--with-application', '--json'],
    ]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      realm_id: 7,
      realm_guid: 'one',
      realm_secret_key: 'a new secret',
    });
    expect(stderr).toContain('the database is away');
    expect(stderr).toContain('registrar application create --realm one');
  });
});
