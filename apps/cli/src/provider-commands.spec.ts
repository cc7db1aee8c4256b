import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type InputOf } from '@registrar/bus';
import {
  createProviderApplication,
  Failure,
  listProviderApplicationSummaries,
  findProviderCredentials,
  rotatePostbackSecret,
  showPostbackSecret,
} from '@registrar/contracts';
import {
  generateMasterKey,
  providerSecretPurpose,
  postbackSecretPurpose,
} from '@registrar/platform';
import { stubReply } from '@registrar/bus/testing';
import { findBroker, SimulatedProvider } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { answerOf, type OperatorFixture, run, startOperatorFixture } from './operator.fixture.ts';

type Wanted = InputOf<typeof createProviderApplication>;

describeWith(await findBroker(), 'registrar provider', (broker) => {
  let operator: OperatorFixture;
  let provider: SimulatedProvider;
  let wanted: Wanted[] = [];
  /** The password of application 4's postbacks. */
  let postbackPassword: string;
  /** What identity keeps for application 4. */
  let kept: { appId: string; secretKey: string };

  const application = () => ({
    id: 4,
    name: 'Main',
    sc_app_id: 'app',
    url: provider.url,
    realm_id: 1,
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-02T00:00:00Z',
    realm_guid: 'one',
  });

  beforeAll(async () => {
    provider = await SimulatedProvider.start();
    operator = await startOperatorFixture(broker, {
      identity: [
        stubReply(createProviderApplication, async (input) => {
          wanted.push(input);
          return { applicationId: 4, realmId: 1 };
        }),
        stubReply(listProviderApplicationSummaries, async ({ realmGuid }) => ({
          items: realmGuid === 'two' ? [] : [application()],
          next: null,
        })),
        stubReply(findProviderCredentials, async ({ applicationId }) => {
          if (applicationId !== 4) throw new Failure('not-found', 'no such application');
          const { appId, secretKey } = kept;
          const sealedSecretKey = operator.sealing.seal(secretKey, providerSecretPurpose(appId));
          const sealedPostbackSecret = operator.sealing.seal(
            postbackPassword,
            postbackSecretPurpose(appId),
          );
          return {
            applicationId,
            realmId: 1,
            baseUrl: provider.url,
            appId,
            sealedSecretKey,
            sealedPostbackSecret,
          };
        }),
        stubReply(showPostbackSecret, async ({ applicationId }) => {
          if (applicationId !== 4) throw new Failure('not-found', 'no such application');
          return { userName: 'postback', password: postbackPassword };
        }),
        stubReply(rotatePostbackSecret, async () => {
          postbackPassword = 'replaced';
          return { userName: 'postback', password: postbackPassword };
        }),
      ],
    });
  });
  beforeEach(() => {
    wanted = [];
    postbackPassword = 'first';
    const { appId, secretKey } = provider.addAccount('app');
    kept = { appId, secretKey };
  });
  afterAll(async () => {
    await operator.stop();
    await provider.stop();
  });

  const add = (secretFile: string, stdin?: string, ...more: string[]) => {
    const what = ['--realm', 'one', '--name', 'Main', '--app-id', 'app', '--url', provider.url];
    const options = [...what, '--secret-file', secretFile, '--json', ...more];
    return operator.run(['provider', 'add', ...options], stdin);
  };

  it('registrar provider add takes the secret key from a file, and does not show it', async () => {
    const ended = await add(await operator.file('app.secret', `${kept.secretKey}\n`));
    expect(answerOf(ended)).toEqual({ id: 4, realm_id: 1 });
    expect(ended.stdout + ended.stderr).not.toContain(kept.secretKey);
    expect(wanted).toEqual([
      {
        realmGuid: 'one',
        name: 'Main',
        baseUrl: provider.url,
        appId: 'app',
        secretKey: kept.secretKey,
      },
    ]);
  });

  const withPostbackUrl = (args: string[], stdin?: string) =>
    run(args, {
      environment: { ...operator.environment, POSTBACK_URL: 'http://gateway:8080' },
      ...(stdin !== undefined && { stdin }),
    });
  const postback = {
    url: 'http://gateway:8080/postbacks/4',
    user_name: 'postback',
    password: 'first',
  };

  it('registrar provider add shows the address and the credentials of postbacks if POSTBACK_URL is set, else a hint', async () => {
    const what = ['--realm', 'one', '--name', 'Main', '--app-id', 'app', '--url', provider.url];
    const args = ['provider', 'add', ...what, '--secret-file', '-'];
    const { secretKey } = kept;
    expect(answerOf(await withPostbackUrl([...args, '--json'], secretKey))).toEqual({
      id: 4,
      realm_id: 1,
      postback,
    });
    const { stdout } = await withPostbackUrl(args, secretKey);
    expect(stdout).toMatch(/^postback_url +http:\/\/gateway:8080\/postbacks\/4$/m);
    expect(stdout).toMatch(/^postback_user_name +postback\npostback_password +first$/m);
    const without = await operator.run(args, secretKey);
    expect(without.stdout).not.toContain('postback');
    expect(without.stderr).toContain('set POSTBACK_URL');
  });

  it('postback shows the address and the credentials, and replaces the password with --rotate', async () => {
    const args = ['provider', 'postback', '4', '--json'];
    expect(answerOf(await withPostbackUrl(args))).toEqual({ id: 4, ...postback });
    const replaced = { id: 4, ...postback, password: 'replaced' };
    expect(answerOf(await withPostbackUrl([...args, '--rotate']))).toEqual(replaced);
    expect(answerOf(await withPostbackUrl(args))).toEqual(replaced);
    const without = await operator.run(['provider', 'postback', '4']);
    expect(without.stdout).toMatch(/^url +-$/m);
    expect(without.stderr).toContain('set POSTBACK_URL');
    expect(await withPostbackUrl(['provider', 'postback', '5'])).toMatchObject({
      code: 1,
      stderr: 'registrar: no such application\n',
    });
  });

  it('registrar provider add takes the secret key from standard input', async () => {
    expect((await add('-', kept.secretKey)).code).toBe(0);
    expect(wanted).toMatchObject([{ secretKey: kept.secretKey }]);
  });

  it('registrar provider add stores nothing that the provider does not accept, and does not show the secret key', async () => {
    const { code, stdout, stderr } = await add('-', 'hunter2');
    expect(code).toBe(1);
    expect(stderr).toContain('401');
    expect(stderr).toContain('Nothing was stored');
    expect(stdout + stderr).not.toContain('hunter2');
    expect(wanted).toEqual([]);
  });

  it('registrar provider add stores credentials without a call to the provider with --no-check', async () => {
    expect((await add('-', 'hunter2', '--no-check')).code).toBe(0);
    expect(wanted).toMatchObject([{ secretKey: 'hunter2' }]);
  });

  it.each([
    ['nothing', ''],
    ['several lines', 'hunter2\nhunter3\n'],
    ['too much', 'x'.repeat(256)],
  ])(
    'registrar provider add refuses %s in place of a secret key, without showing it',
    async (_what, text) => {
      const { code, stderr } = await add('-', text);
      expect(code).toBe(2);
      expect(stderr).toBe('registrar: the secret key is not one line of 1 to 255 characters\n');
      expect(wanted).toEqual([]);
    },
  );

  it('registrar provider add says when there is no such file', async () => {
    const { code, stderr } = await add('nowhere.secret');
    expect(code).toBe(2);
    expect(stderr).toContain('nowhere.secret');
  });

  it('registrar provider list shows those of a realm, or all, without secrets', async () => {
    expect(answerOf(await operator.run(['provider', 'list', '--json']))).toEqual([application()]);
    expect(answerOf(await operator.run(['provider', 'list', '--realm', 'two', '--json']))).toEqual(
      [],
    );
  });

  it('registrar provider rotate changes the secret key and nothing else, when the provider accepts it', async () => {
    const rotate = (id: string, ...more: string[]) =>
      operator.run(
        ['provider', 'rotate', id, '--secret-file', '-', '--json', ...more],
        'hunter3\n',
      );
    expect(await rotate('4')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Nothing was stored'),
    });
    expect(wanted).toEqual([]);
    expect(answerOf(await rotate('4', '--no-check', '--overlap', '24h'))).toEqual({
      id: 4,
      realm_guid: 'one',
      sc_app_id: 'app',
    });
    expect(wanted).toEqual([
      {
        realmGuid: 'one',
        name: 'Main',
        baseUrl: provider.url,
        appId: 'app',
        secretKey: 'hunter3',
        overlapSeconds: 86_400,
      },
    ]);
    expect(await rotate('5')).toMatchObject({
      code: 1,
      stderr: 'registrar: no provider application 5\n',
    });
  });

  it('test tells what it found', async () => {
    provider.addAccount('app').addCourse('swimming');
    expect(answerOf(await operator.run(['provider', 'test', '4', '--json']))).toEqual({
      id: 4,
      url: provider.url,
      sc_app_id: 'app',
      reachable: true,
      credentials_accepted: true,
      clock_skew_seconds: expect.any(Number),
      courses: 1,
      fault: null,
    });
  });

  it('test ends with 1 when the provider cannot be used, and names no secret', async () => {
    kept = { appId: 'app', secretKey: 'hunter2' };
    const { code, stdout, stderr } = await operator.run(['provider', 'test', '4']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/reachable +true\ncredentials_accepted +false/);
    expect(stderr).toContain('401');
    expect(stdout + stderr).not.toContain('hunter2');
  });

  it('test warns of a clock that is wrong', async () => {
    const currentTime = new Date(Date.now() - 600_000).toISOString();
    provider.intercept = ({ path }) =>
      path === 'ping' ? { status: 200, body: { currentTime } } : undefined;
    const { code, stderr } = await operator.run(['provider', 'test', '4']);
    provider.intercept = () => undefined;
    expect(code).toBe(0);
    expect(stderr).toContain('make crawls miss changes');
  });

  it('test wants the master key that the secret was sealed with', async () => {
    const file = await operator.file('other.key', generateMasterKey());
    const { environment } = operator;
    const withKey = (MASTER_KEY_FILE: string) =>
      run(['provider', 'test', '4'], { environment: { ...environment, MASTER_KEY_FILE } });
    expect(await withKey(file)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('not the key that the secret was sealed with'),
    });
    expect(await withKey('')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('MASTER_KEY_FILE is not set'),
    });
  });
});
