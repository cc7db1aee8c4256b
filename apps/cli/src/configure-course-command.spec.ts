import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { InputOf } from '@registrar/bus';
import { stubReply } from '@registrar/bus/testing';
import {
  configureCourse,
  Failure,
  listProviderApplicationSummaries,
  listRealms,
  readCourseSettings,
} from '@registrar/contracts';
import { findBroker } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { answerOf, type OperatorFixture, startOperatorFixture } from './operator.fixture.ts';

const at = '2026-01-01T00:00:00Z';
const realm = {
  id: 1,
  guid: 'one',
  name: 'One',
  provider_applications: 2,
  users: 0,
  created_at: at,
  disabled_at: null,
  compatibility: null,
  user_licenses: false,
};
const applicationOf = (id: number) => ({
  id,
  name: 'Main',
  sc_app_id: `app-${id}`,
  url: 'http://provider:8090',
  realm_id: 1,
  realm_guid: 'one',
  created_at: at,
  updated_at: at,
});

describeWith(await findBroker(), 'registrar course configure', (broker) => {
  let operator: OperatorFixture;
  let configured: InputOf<typeof configureCourse>[] = [];
  const settings = [
    { id: 'PlayerLaunchType', value: 'FRAMESET', source: 'default' },
    { id: 'PlayerDesiredWidth', value: '800', source: 'course' },
  ];

  beforeAll(async () => {
    operator = await startOperatorFixture(broker, {
      identity: [
        stubReply(listRealms, async () => ({ items: [realm], next: null })),
        stubReply(listProviderApplicationSummaries, async () => ({
          items: [applicationOf(3), applicationOf(4)],
          next: null,
        })),
      ],
      catalog: [
        stubReply(readCourseSettings, async () => ({ settings })),
        stubReply(configureCourse, async (input) => {
          configured.push(input);
          if ('NoSetting' in input.set) {
            throw new Failure('invalid', 'NoSetting is not a setting of this provider');
          }
          return { settings };
        }),
      ],
    });
  });
  beforeEach(() => {
    configured = [];
  });
  afterAll(() => operator?.stop());

  const configure = (...words: string[]) =>
    operator.run(['course', 'configure', 'fire-safety', ...words, '--realm', 'one']);

  it('lists all settings with their values and the levels that set them', async () => {
    const { code, stdout } = await configure();
    expect(code).toBe(0);
    expect(stdout).toBe(
      'ID                  VALUE     SOURCE\n' +
        'PlayerLaunchType    FRAMESET  default\n' +
        'PlayerDesiredWidth  800       course\n',
    );
    expect(answerOf(await configure('--json'))).toEqual(settings);
    expect(configured).toEqual([]);
  });

  it('makes and resets settings, and shows those', async () => {
    const words = [
      'PlayerDesiredWidth=800',
      'ApiRollupRegistrationPostBackUrl=https://a.example/?b=c',
    ];
    const shown = await configure(...words, '--reset', 'PlayerLaunchType', '--json');
    expect(answerOf(shown)).toEqual(settings);
    expect(configured).toMatchObject([
      {
        scope: { realmId: 1, applicationIds: [3, 4] },
        courseGuid: 'fire-safety',
        set: {
          PlayerDesiredWidth: '800',
          ApiRollupRegistrationPostBackUrl: 'https://a.example/?b=c',
        },
        removed: ['PlayerLaunchType'],
      },
    ]);
    const one = await configure('PlayerDesiredWidth=800', '--application', '4', '--json');
    expect(answerOf(one)).toEqual(settings.slice(1));
    expect(configured.at(-1)?.scope.applicationIds).toEqual([4]);
  });

  it('fails with the message of the provider for a setting that it refuses', async () => {
    expect(await configure('NoSetting=1')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('NoSetting is not a setting of this provider'),
    });
  });

  it.each([
    [['PlayerLaunchType'], 'write SETTING=VALUE'],
    [['=x'], 'write SETTING=VALUE'],
    [['PlayerDesiredWidth=1', 'PlayerDesiredWidth=2'], 'PlayerDesiredWidth is named twice'],
    [
      ['PlayerDesiredWidth=1', '--reset', 'PlayerDesiredWidth'],
      'PlayerDesiredWidth is named twice',
    ],
    [['ApiRollupRegistrationAuthPassword=x'], 'is a secret'],
    [['--reset', 'no setting'], 'It is not the name of a setting.'],
  ])('registrar course configure is misused with %j', async (words, message) => {
    expect(await configure(...words)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
    expect(configured).toEqual([]);
  });
});
