import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  changeRealmCompatibility,
  changeRealmLimits,
  createRealm,
  Failure,
  findRealmLimits,
  listRealms,
  type RealmCompatibility,
  type RealmLimits,
  rotateRealmSecret,
  switchRealm,
} from '@registrar/contracts';
import { stubReply } from '@registrar/bus/testing';
import { findBroker } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { answerOf, type OperatorFixture, startOperatorFixture } from './operator.fixture.ts';

const realms = ['one', 'two', 'three'].map((guid, index) => ({
  id: index + 1,
  guid,
  name: `Realm ${guid}`,
  provider_applications: index,
  users: 10 * index,
  created_at: '2026-01-01T00:00:00Z',
  disabled_at: null,
  compatibility: null,
  user_licenses: false,
}));

describeWith(await findBroker(), 'registrar realm', (broker) => {
  let operator: OperatorFixture;
  let limits: RealmLimits = {};
  let compatibility: RealmCompatibility | null = null;

  beforeAll(async () => {
    operator = await startOperatorFixture(broker, {
      identity: [
        stubReply(createRealm, async ({ name }) => ({
          realmId: 7,
          realmGuid: `guid of ${name}`,
          realmSecretKey: 'a new secret',
        })),
        stubReply(listRealms, async ({ cursor }) => {
          const begin = Number(cursor ?? 0);
          const next = begin + 2 < realms.length ? String(begin + 2) : null;
          return { items: realms.slice(begin, begin + 2), next };
        }),
        stubReply(findRealmLimits, async () => ({ limits })),
        stubReply(changeRealmCompatibility, async ({ clients, userLicenses }) => {
          const wanted = clients ?? compatibility?.clients ?? 'none';
          const licenses = userLicenses ?? compatibility?.userLicenses ?? false;
          compatibility = wanted === 'none' ? null : { clients: wanted, userLicenses: licenses };
          return { compatibility };
        }),
        stubReply(changeRealmLimits, async ({ changes, fromDefaults }) => {
          limits = { ...(fromDefaults ? {} : limits), ...changes };
          return { limits };
        }),
        stubReply(rotateRealmSecret, async ({ realmGuid, overlapSeconds, endKeys }) => {
          if (realmGuid !== 'one') throw new Failure('not-found', 'no such realm');
          return {
            realmGuid,
            realmSecretKey: 'another secret',
            previousUntil: overlapSeconds === 86_400 ? '2026-01-02T00:00:00Z' : null,
            revokedKeys: endKeys ? 7 : 0,
          };
        }),
        stubReply(switchRealm, async ({ realmGuid, enabled }) => ({
          realmGuid,
          disabledAt: enabled ? null : '2026-01-01T00:00:00Z',
        })),
      ],
    });
  });
  afterAll(() => operator.stop());

  it('registrar realm create shows the new pair', async () => {
    const { code, stdout, stderr } = await operator.run(['realm', 'create', 'Demo']);
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        'realm_id          7',
        'realm_guid        guid of Demo',
        'realm_secret_key  a new secret',
        '',
      ].join('\n'),
    );
    expect(stderr).toContain('shown this once');
  });

  it('registrar realm create answers programs with nothing but JSON', async () => {
    const ended = await operator.run(['realm', 'create', 'Demo', '--json']);
    expect(answerOf(ended)).toEqual({
      realm_id: 7,
      realm_guid: 'guid of Demo',
      realm_secret_key: 'a new secret',
    });
    expect(ended.stderr).toBe('');
  });

  it('registrar realm create takes no empty name', async () => {
    expect((await operator.run(['realm', 'create', ''])).code).toBe(2);
  });

  it('registrar realm list shows all pages', async () => {
    expect(answerOf(await operator.run(['realm', 'list', '--json']))).toEqual(realms);
    const { stdout } = await operator.run(['realm', 'list']);
    expect(stdout.split('\n')[0]).toMatch(
      /^ID {2}GUID +NAME +PROVIDER_APPLICATIONS +USERS +CREATED_AT +DISABLED_AT +COMPATIBILITY +USER_LICENSES$/,
    );
    for (const { guid, name } of realms) expect(stdout).toMatch(new RegExp(`${guid} +${name}`));
  });

  it('limits shows and changes the limits of a realm, and gives them their defaults again', async () => {
    const shown = async (...options: string[]) =>
      answerOf(await operator.run(['realm', 'limits', 'one', '--json', ...options]));
    const defaults = {
      requests_per_second: null,
      key_requests_per_second: null,
      requests_in_hand: null,
      weight: null,
      query_rows: null,
      query_megabytes: null,
      uploads: null,
      upload_megabytes: null,
    };
    expect(await shown()).toEqual(defaults);
    const changed = { ...defaults, requests_per_second: 20, weight: 3 };
    expect(await shown('--requests-per-second', '20', '--weight', '3')).toEqual(changed);
    expect(await shown('--uploads', '2')).toEqual({ ...changed, uploads: 2 });
    expect(await shown('--default', '--weight', '2')).toEqual({ ...defaults, weight: 2 });
    expect((await operator.run(['realm', 'limits', 'one', '--weight', '0'])).code).toBe(2);
    expect((await operator.run(['realm', 'limits', 'one', '--weight', 'x'])).code).toBe(2);
  });

  it('registrar realm show shows one realm with its settings', async () => {
    const shown = await operator.run(['realm', 'show', 'three', '--json']);
    expect(answerOf(shown)).toEqual(realms[2]);
    expect(await operator.run(['realm', 'show', 'four'])).toMatchObject({
      code: 1,
      stderr: 'registrar: no such realm\n',
    });
  });

  it('registrar realm set changes the settings that are given, and takes no other values', async () => {
    const set = (...options: string[]) =>
      operator.run(['realm', 'set', 'one', ...options, '--json']);
    const answer = { realm_guid: 'one', compatibility: null, user_licenses: false };
    expect(answerOf(await set('--compatibility', 'bright'))).toEqual({
      ...answer,
      compatibility: 'bright',
    });
    expect(answerOf(await set('--user-licenses', 'on'))).toEqual({
      ...answer,
      compatibility: 'bright',
      user_licenses: true,
    });
    expect(answerOf(await set('--compatibility', 'none'))).toEqual(answer);
    for (const wrong of [[], ['--compatibility', 'dim'], ['--user-licenses', 'perhaps']]) {
      expect((await set(...wrong)).code).toBe(2);
    }
  });

  it('registrar realm rotate shows the new secret key, and says when there is no such realm', async () => {
    expect(answerOf(await operator.run(['realm', 'rotate', 'one', '--json']))).toEqual({
      realm_guid: 'one',
      realm_secret_key: 'another secret',
      previous_valid_until: null,
      revoked_keys: 0,
    });
    const options = ['--overlap', '24h', '--end-keys', '--json'];
    expect(answerOf(await operator.run(['realm', 'rotate', 'one', ...options]))).toMatchObject({
      previous_valid_until: '2026-01-02T00:00:00Z',
      revoked_keys: 7,
    });
    expect(await operator.run(['realm', 'rotate', 'four'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'registrar: no such realm\n',
    });
  });

  it('disable and enable show the state', async () => {
    for (const [command, disabled_at] of [
      ['disable', '2026-01-01T00:00:00Z'],
      ['enable', null],
    ]) {
      expect(answerOf(await operator.run(['realm', String(command), 'one', '--json']))).toEqual({
        realm_guid: 'one',
        disabled_at,
      });
    }
  });
});
