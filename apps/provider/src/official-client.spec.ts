import { buildSamplePackage } from '@registrar/sample-courses';
import { eventually, fetchAtLocalhost } from '@registrar/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import { CourseWindow } from './launches/launches.fixture.ts';
import { Receiver } from './postbacks/receiver.fixture.ts';
import { type ProviderFixture, startProviderFixture } from './provider.fixture.ts';
import { withFile } from './testing/make-package.ts';

type Callback = (error: (Error & { status?: number }) | null, data: unknown) => void;
type Operation = (...parameters: [...unknown[], Callback]) => void;
type Api = new (client: ApiClient) => Record<string, Operation>;

/** The part of SCORM Cloud's JavaScript client that is used here. It has no types. */
interface ApiClient {
  basePath: string;
  authentications: Record<string, { username?: string; password?: string }>;
}
const rustici = createRequire(import.meta.url)(
  '@rusticisoftware/scormcloud-api-v2-client-javascript',
) as { ApiClient: new () => ApiClient; PostBackSchema: new () => object } & Record<
  'PingApi' | 'CourseApi' | 'RegistrationApi',
  Api
>;

describe("SCORM Cloud's JavaScript client against this provider", () => {
  let fixture: ProviderFixture;
  let client: ApiClient;
  let receiver: Receiver;
  const registrationId = randomUUID();

  beforeAll(async () => {
    receiver = await new Receiver().start();
    fixture = await startProviderFixture({ postbackOrigins: receiver.origin });
    const { appId: username, secretKey: password } = await fixture.client();
    client = new rustici.ApiClient();
    client.basePath = `${fixture.url}/api/v2`;
    client.authentications['APP_NORMAL'] = {
      ...client.authentications['APP_NORMAL'],
      username,
      password,
    };
  });
  afterAll(async () => {
    await fixture?.stop();
    await receiver?.stop();
  });

  const call = async (
    api: 'PingApi' | 'CourseApi' | 'RegistrationApi',
    operation: string,
    ...parameters: unknown[]
  ) => {
    const instance = new rustici[api](client);
    return new Promise((resolve, reject) => {
      instance[operation]?.(...parameters, (error, data) => {
        if (error) reject(error);
        else resolve(data);
      });
    });
  };

  it('pings the API', async () => {
    expect(await call('PingApi', 'pingAppId')).toMatchObject({
      apiMessage: expect.any(String),
      currentTime: expect.stringMatching(/Z$/),
    });
  });

  it('gets 401 without credentials', async () => {
    const stranger = new rustici.ApiClient();
    stranger.basePath = client.basePath;
    const pinged = new Promise((resolve) => {
      new rustici.PingApi(stranger)['pingAppId']?.((error) => resolve(error?.status));
    });
    expect(await pinged).toBe(401);
  });

  it('imports a course', async () => {
    const { result } = (await withFile(await buildSamplePackage('fire-safety'), (path) =>
      call('CourseApi', 'createUploadAndImportCourseJob', 'course', {
        mayCreateNewVersion: false,
        file: createReadStream(path),
      }),
    )) as { result: string };
    const job = await eventually('the import has ended', async () => {
      const { status, ...rest } = (await call('CourseApi', 'getImportJobStatus', result)) as {
        status: string;
      };
      return status !== 'RUNNING' && { status, ...rest };
    });
    expect(job).toMatchObject({
      jobId: result,
      status: 'COMPLETE',
      importResult: { course: { id: 'course', title: 'Fire safety at work' } },
    });
  });

  it('reads and changes courses', async () => {
    expect(
      await call('CourseApi', 'getCourses', {
        since: new Date(0),
        datetimeFilter: 'created',
        orderBy: 'updated_asc',
        includeCourseMetadata: true,
        includeRegistrationCount: true,
      }),
    ).toMatchObject({
      courses: [
        {
          id: 'course',
          version: 0,
          created: expect.any(Date),
          registrationCount: 0,
          courseLearningStandard: 'SCORM20044THEDITION',
          metadata: { keywords: ['fire safety', 'evacuation'] },
        },
      ],
    });
    await call('CourseApi', 'setCourseTitle', 'course', { title: 'New title' });
    expect(await call('CourseApi', 'getCourse', 'course', {})).toMatchObject({
      title: 'New title',
      rootActivity: { activityType: 'AGGREGATION', children: [{ title: expect.any(String) }, {}] },
    });
    expect(await call('CourseApi', 'getCourseVersions', 'course', {})).toMatchObject({
      courses: [{ version: 0 }],
    });
  });

  it('creates and reads registrations', async () => {
    const learner = { id: 'learner@example.com', firstName: 'Ada', lastName: 'Lovelace' };
    const registration = { courseId: 'course', registrationId, learner };
    await call('RegistrationApi', 'createRegistration', registration, {});
    await call('RegistrationApi', 'getRegistration', registrationId);
    const record = {
      id: registrationId,
      registrationCompletion: 'UNKNOWN',
      createdDate: expect.any(Date),
      learner,
    };
    expect(
      await call('RegistrationApi', 'getRegistrations', {
        since: new Date(Date.now() - 60_000),
        datetimeFilter: 'updated',
        includeRuntime: true,
      }),
    ).toMatchObject({ registrations: [record] });
    expect(
      await call('RegistrationApi', 'getRegistrationProgress', registrationId, {
        includeChildResults: true,
        includeInteractionsAndObjectives: true,
        includeRuntime: true,
      }),
    ).toMatchObject({ ...record, activityDetails: { children: [{ attempts: 0 }, {}] } });
    expect(
      await call('RegistrationApi', 'getRegistrationLaunchHistory', registrationId, {}),
    ).toMatchObject({ launchHistory: [] });
    await expect(
      call('RegistrationApi', 'createRegistration', registration, {}),
    ).rejects.toMatchObject({ status: 400 });
    await call('RegistrationApi', 'putRegistrationTags', registrationId, { tags: ['a', 'b c'] });
    expect(await call('RegistrationApi', 'getRegistrationTags', registrationId)).toMatchObject({
      tags: ['a', 'b c'],
    });
    await call('RegistrationApi', 'deleteRegistrationTags', registrationId, { tags: ['a'] });
    for (const [tags, found] of [
      [['a'], []],
      [['a', 'b c'], [record]],
    ]) {
      const options = { tags, filter: registrationId, filterBy: 'registration_id' };
      const body = await call('RegistrationApi', 'getRegistrations', {
        ...options,
        includeTotalCount: true,
      });
      expect(body).toMatchObject({ registrations: found });
    }
  });

  it('builds a launch link', async () => {
    const { launchLink } = (await call(
      'RegistrationApi',
      'buildRegistrationLaunchLink',
      registrationId,
      { expiry: 60, redirectOnExitUrl: 'https://shop.example/', tracking: true },
    )) as { launchLink: string };
    expect(new URL(launchLink).pathname).toMatch(/^\/launch\//);
  });

  it('creates a registration with a postBack, to which the result is posted after the exit', async () => {
    const id = randomUUID();
    const postBack = Object.assign(new rustici.PostBackSchema(), {
      url: `${receiver.origin}/results`,
      userName: 'shop',
      password: 'secret',
    });
    const registration = {
      courseId: 'course',
      registrationId: id,
      learner: { id: 'ada' },
      postBack,
    };
    await call('RegistrationApi', 'createRegistration', registration, {});
    const launch = { redirectOnExitUrl: 'https://shop.example/' };
    const { launchLink } = (await call(
      ...(['RegistrationApi', 'buildRegistrationLaunchLink', id, launch] as const),
    )) as { launchLink: string };
    const { headers } = await fetchAtLocalhost(launchLink);
    const address = new URL(headers.get('location') ?? '', launchLink).href;
    const window = new CourseWindow(address, launchLink);
    await window.begin('prevention');
    await window.post('exit', {});
    const [postback] = await receiver.arrived(1);
    const form = new URLSearchParams(postback?.body);
    expect([form.get('username'), form.get('password')]).toEqual(['shop', 'secret']);
    expect(JSON.parse(form.get('data') ?? '')).toMatchObject({
      id,
      registrationCompletion: 'INCOMPLETE',
    });
    await call('RegistrationApi', 'deleteRegistration', id);
  });

  it('deletes progress, registrations and courses', async () => {
    await call('RegistrationApi', 'deleteRegistrationProgress', registrationId);
    await call('RegistrationApi', 'deleteRegistration', registrationId);
    await expect(call('RegistrationApi', 'getRegistration', registrationId)).rejects.toMatchObject({
      status: 404,
    });
    await call('CourseApi', 'deleteCourse', 'course');
    expect(await call('CourseApi', 'getCourses', {})).toMatchObject({ courses: [] });
  });
});
