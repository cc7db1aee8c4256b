import { sql } from '@registrar/persistence';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { type LaunchesFixture, startLaunchesFixture } from '../launches/launches.fixture.ts';
import { Receiver } from '../postbacks/receiver.fixture.ts';
import type { Client } from '../provider.fixture.ts';
import { parseValue, settingIds, settings } from './settings.ts';

interface SettingList {
  readonly settingItems: readonly {
    readonly id: string;
    readonly effectiveValue: string;
    readonly effectiveValueSource: string;
    readonly explicitValue?: string;
    readonly metadata?: object;
  }[];
}

const shows = 'PlayerShowCourseStructure';
const url = 'ApiRollupRegistrationPostBackUrl';

describe('configuration', () => {
  let fixture: LaunchesFixture;
  let client: Client;
  let receiver: Receiver;

  beforeAll(async () => {
    receiver = await new Receiver().start();
    fixture = await startLaunchesFixture({ postbackOrigins: receiver.origin });
    ({ client } = fixture);
  });
  afterAll(async () => {
    await fixture?.stop();
    await receiver?.stop();
  });

  const set = (path: string, values: Record<string, unknown>, owner = client) => {
    const settings = Object.entries(values).map(([settingId, value]) => ({ settingId, value }));
    return owner.sendJson<{ message: string }>('POST', `${path}/configuration`, { settings });
  };
  const read = async (path: string, id: string) => {
    const { body } = await client.get<SettingList>(`${path}/configuration`);
    const { effectiveValue, effectiveValueSource, explicitValue } =
      body.settingItems.find((item) => item.id === id) ?? expect.unreachable();
    return [effectiveValue, effectiveValueSource, explicitValue];
  };
  const remove = async (path: string, id: string) =>
    (await client.delete(`${path}/configuration/${id}`)).status;

  it('configuration lists every setting with its source', async () => {
    const { body } = await client.get<SettingList>('appManagement/configuration');
    expect(body.settingItems.map(({ id }) => id)).toEqual(settingIds);
    expect(body.settingItems[0]).toEqual({
      id: shows,
      effectiveValue: 'true',
      effectiveValueSource: 'default',
    });
    const query = { includeMetadata: 'true' };
    const described = await client.get<SettingList>('courses/two-parts/configuration', query);
    expect(described.body.settingItems[0]?.metadata).toEqual({
      default: 'true',
      dataType: 'boolean',
      settingDescription: expect.any(String),
      level: 'registration',
      learningStandardVariant: 'either',
      validValues: [{ value: 'true' }, { value: 'false' }],
    });
  });

  it('configuration of a more specific level wins, until it is removed', async () => {
    const registration = `registrations/${await fixture.register()}`;
    const levels = [
      ['appManagement', 'application'],
      ['courses/two-parts', 'course'],
      ['courses/two-parts/versions/0', 'course'],
      [registration, 'registration'],
    ] as const;
    for (const [at, [path, source]] of levels.entries()) {
      const value = at % 2 === 0 ? 'False' : 'true';
      expect((await set(path, { [shows]: value })).status).toBe(204);
      const stored = value.toLowerCase();
      expect(await read(path, shows)).toEqual([stored, source, stored]);
      const explicit = path === registration ? stored : undefined;
      expect(await read(registration, shows)).toEqual([stored, source, explicit]);
    }
    expect(await read(`${registration}/instances/0`, shows)).toEqual([
      'true',
      'registration',
      'true',
    ]);
    for (const [path] of levels.toReversed()) expect(await remove(path, shows)).toBe(204);
    expect(await read(registration, shows)).toEqual(['true', 'default', undefined]);
    expect(await remove(registration, shows)).toBe(204);
  });

  it.each([
    [{ PlayerTimeLimit: '60' }, 'PlayerTimeLimit is not a setting of this provider'],
    [{ PlayerScoLaunchType: 'NEW_WINDOW' }, 'PlayerScoLaunchType: is not one of FRAMESET'],
    [{ PlayerLaunchType: 'TAB' }, 'PlayerLaunchType: is not one of FRAMESET, NEW_WINDOW, '],
    [{ PlayerDesiredWidth: '10001' }, 'PlayerDesiredWidth: is not a whole number from 0 to 10000'],
    [
      { PlayerCommCommitFrequency: '1e3' },
      'PlayerCommCommitFrequency: is not a whole number from 500 to 60000',
    ],
    [
      { PlayerStatusRollupModeThresholdScore: '80' },
      'PlayerStatusRollupModeThresholdScore: is not a decimal from 0 to 1',
    ],
    [
      { PlayerFinalScoCourseSatisfiedNormalExitAction: 'CLOSE' },
      'PlayerFinalScoCourseSatisfiedNormalExitAction: is not one of UNDEFINED, EXIT_COURSE, ',
    ],
    [{ [shows]: 'maybe' }, `${shows}: is not one of true, false`],
    [{ [shows]: 1 }, 'value: '],
    [{ ApiRollupRegistrationIsJson: 'false' }, 'ApiRollupRegistrationIsJson: is not one of true'],
    [{ ApiRollupRegistrationAuthType: 'oauth' }, 'is not one of form, httpbasic'],
    [{ ApiRollupRegistrationFormat: 'xml' }, 'is not one of course, activity, full'],
    [{ ApiRollupRegistrationAuthUser: 'a:b' }, 'ApiRollupRegistrationAuthUser: contains a colon'],
    [{ [url]: 'ftp://a.example/' }, `${url}: `],
    [
      { [url]: 'http://a.example/' },
      `${url}: this provider does not post results to http://a.example`,
    ],
  ])('configuration with %j is refused with 400', async (values, message) => {
    for (const path of ['appManagement', 'courses/two-parts']) {
      expect(await set(path, values)).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining(message) },
      });
    }
  });

  it('configuration of what an application lacks, and an unknown setting, return 404 and 400', async () => {
    const stranger = await fixture.provider.client();
    const registration = `registrations/${await fixture.register()}`;
    const paths = ['courses/two-parts', 'courses/two-parts/versions/0', registration];
    for (const path of paths) {
      expect((await set(path, { [shows]: 'true' }, stranger)).status).toBe(404);
      expect((await stranger.get(`${path}/configuration`)).status).toBe(404);
      expect((await stranger.delete(`${path}/configuration/${shows}`)).status).toBe(404);
      expect(await remove(path, 'PlayerTimeLimit')).toBe(400);
    }
    expect((await set('courses/two-parts/versions/9', { [shows]: 'true' })).status).toBe(404);
    expect((await set(`${registration}/instances/1`, { [shows]: 'true' })).status).toBe(404);
    const standard = { learningStandard: 'scorm12' };
    expect(await client.get('appManagement/configuration', standard)).toMatchObject({
      status: 400,
      body: { message: 'learningStandard: is not supported' },
    });
  });

  it('every setting has a default that it accepts', () => {
    for (const id of settingIds) {
      expect([id, parseValue(id, settings[id].default)]).toEqual([id, settings[id].default]);
    }
  });

  it('values of settings are stored in the spelling of their lists', async () => {
    await set('courses/two-parts', { PlayerLaunchType: 'frameset', PlayerDesiredWidth: '0800' });
    expect(await read('courses/two-parts', 'PlayerLaunchType')).toEqual([
      'FRAMESET',
      'course',
      'FRAMESET',
    ]);
    expect(await read('courses/two-parts', 'PlayerDesiredWidth')).toEqual(['800', 'course', '800']);
    for (const id of ['PlayerLaunchType', 'PlayerDesiredWidth']) {
      expect(await remove('courses/two-parts', id)).toBe(204);
    }
  });

  it('PlayerShowCourseStructure hides the table of contents of windows and previews', async () => {
    const registration = await fixture.register();
    await set('courses/two-parts', { [shows]: 'false' });
    const { body } = await client.sendJson<{ launchLink: string }>(
      'POST',
      'courses/two-parts/preview',
      {},
    );
    const preview = await fixture.follow(body.launchLink);
    expect(await preview.course()).toMatchObject({ showsContents: false });
    const window = await fixture.open(registration);
    expect(await window.course()).toMatchObject({ showsContents: false });
    await set(`registrations/${registration}`, { [shows]: 'true' });
    expect(await window.course()).toMatchObject({ showsContents: true });
    await remove('courses/two-parts', shows);
  });

  it('a password in a configuration is stored sealed, and not shown', async () => {
    const password = { ApiRollupRegistrationAuthPassword: 'pass:wörd' };
    await set('appManagement', password);
    expect(await read('appManagement', 'ApiRollupRegistrationAuthPassword')).toEqual([
      '********',
      'application',
      '********',
    ]);
    const { stored } = await fixture.provider.database.one(
      z.object({ stored: z.string() }),
      sql`SELECT configuration::text AS stored FROM applications WHERE app_id = ${client.appId}`,
    );
    expect(stored).not.toContain('pass');
    await remove('appManagement', 'ApiRollupRegistrationAuthPassword');
  });

  it('the results of all registrations are posted where the configuration of the application says', async () => {
    const registration = await fixture.register();
    await set('appManagement', {
      [url]: `${receiver.origin}/of-application`,
      ApiRollupRegistrationAuthType: 'HttpBasic',
      ApiRollupRegistrationAuthUser: 'shop',
      ApiRollupRegistrationAuthPassword: 'pass:wörd',
      ApiRollupRegistrationFormat: 'activity',
    });
    const window = await fixture.open(registration);
    await window.begin('first');
    await window.post('exit', {});
    const [postback] = await receiver.arrived(1);
    expect(postback).toMatchObject({
      path: '/of-application',
      headers: {
        authorization: `Basic ${Buffer.from('shop:pass:wörd').toString('base64')}`,
      },
    });
    expect(JSON.parse(postback?.body ?? '')).toMatchObject({
      id: registration,
      activityDetails: { children: [{ id: 'first' }, { id: 'second' }] },
    });
  });

  it('a registration can have its results posted elsewhere, or nowhere', async () => {
    await set('appManagement', { [url]: `${receiver.origin}/of-application` });
    receiver.received = [];
    const registrationId = randomUUID();
    const created = await client.sendJson('POST', 'registrations', {
      courseId: 'two-parts',
      registrationId,
      learner: { id: 'ada' },
      initialSettings: { settings: [{ settingId: url, value: '', explicit: true }] },
    });
    expect(created.status).toBe(204);
    const exit = async (registration: string) => {
      const window = await fixture.open(registration);
      await window.begin('first');
      await window.post('exit', {});
    };
    await exit(registrationId);
    const elsewhere = await fixture.register();
    await set(`registrations/${elsewhere}`, { [url]: `${receiver.origin}/elsewhere` });
    await exit(elsewhere);
    const postbacks = await receiver.arrived(1);
    expect(postbacks.map(({ path }) => path)).toEqual(['/elsewhere']);
    await remove('appManagement', url);
  });

  it('a test of a postback is sent with its credentials, and says why it was not delivered', async () => {
    receiver.received = [];
    const test = (more: object = {}, owner = client) =>
      owner.sendJson<{ message: string }>('POST', 'registrations/postBackTest', {
        url: `${receiver.origin}/test`,
        authType: 'httpbasic',
        userName: 'shop',
        password: 'secret',
        resultsFormat: 'full',
        ...more,
      });
    expect((await test()).status).toBe(204);
    const [postback] = await receiver.arrived(1);
    expect(postback?.headers.authorization).toBe(
      `Basic ${Buffer.from('shop:secret').toString('base64')}`,
    );
    expect(JSON.parse(postback?.body ?? '')).toMatchObject({
      id: 'postback-test',
      registrationCompletion: 'COMPLETED',
      activityDetails: { children: [{ activityCompletion: 'COMPLETED' }] },
    });
    receiver.answer({ status: 401 });
    expect(await test()).toMatchObject({
      status: 400,
      body: { message: 'The postback was not delivered: the receiver responded with 401.' },
    });
    expect(await test({ url: 'http://a.example/' })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('url: this provider does not post results to') },
    });
  });
});
