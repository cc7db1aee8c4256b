import { buildSamplePackage } from '@registrar/sample-courses';
import { fetchAtLocalhost } from '@registrar/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { CourseWindow } from './launches/launches.fixture.ts';
import { OfficialClient, postBackOf } from './official-client.fixture.ts';
import { Receiver } from './postbacks/receiver.fixture.ts';
import { type ProviderFixture, startProviderFixture } from './provider.fixture.ts';
import { withFile } from './testing/make-package.ts';

describe("SCORM Cloud's JavaScript client against this provider", () => {
  let fixture: ProviderFixture;
  let client: OfficialClient;
  let receiver: Receiver;
  const registrationId = randomUUID();

  beforeAll(async () => {
    receiver = await new Receiver().start();
    fixture = await startProviderFixture({ postbackOrigins: receiver.origin });
    client = new OfficialClient(fixture.url, await fixture.client());
  });
  afterAll(async () => {
    await fixture?.stop();
    await receiver?.stop();
  });

  const call: OfficialClient['call'] = (...parameters) => client.call(...parameters);

  it('pings the API', async () => {
    expect(await call('PingApi', 'pingAppId')).toMatchObject({
      apiMessage: expect.any(String),
      currentTime: expect.stringMatching(/Z$/),
    });
  });

  it('gets 401 without credentials', async () => {
    const stranger = new OfficialClient(fixture.url, null);
    await expect(stranger.call('PingApi', 'pingAppId')).rejects.toMatchObject({ status: 401 });
  });

  it('imports a course', async () => {
    const { result } = (await withFile(await buildSamplePackage('fire-safety'), (path) =>
      call('CourseApi', 'createUploadAndImportCourseJob', 'course', {
        mayCreateNewVersion: false,
        file: createReadStream(path),
      }),
    )) as { result: string };
    const job = await client.importEnd(result);
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
    const postBack = postBackOf({
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
