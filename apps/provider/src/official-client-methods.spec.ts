import { eventually } from '@registrar/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OfficialClient, postBackOf } from './official-client.fixture.ts';
import { Receiver } from './postbacks/receiver.fixture.ts';
import { type Client, type ProviderFixture, startProviderFixture } from './provider.fixture.ts';
import { makeDocument } from './testing/make-document.ts';
import { smallestPackage, withFile } from './testing/make-package.ts';

describe("methods of SCORM Cloud's JavaScript client against this provider", () => {
  let fixture: ProviderFixture;
  let receiver: Receiver;
  let source: Server;
  let files: string;
  let direct: Client;
  let client: OfficialClient;
  let courseId: string;
  let registrationId: string;

  beforeAll(async () => {
    receiver = await new Receiver().start();
    const zip = await smallestPackage('Fetched');
    source = createServer((_request, response) => void response.end(zip));
    await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
    files = `http://127.0.0.1:${(source.address() as AddressInfo).port}`;
    const origins = { postbackOrigins: receiver.origin, fetchOrigins: files };
    fixture = await startProviderFixture(origins);
    direct = await fixture.client();
    client = new OfficialClient(fixture.url, direct);
  });
  afterAll(async () => {
    await fixture?.stop();
    await receiver?.stop();
    source.closeAllConnections();
    source.close();
  });
  beforeEach(async () => {
    courseId = randomUUID();
    await direct.import(courseId, await smallestPackage('First'));
    await direct.import(courseId, await smallestPackage('Second'), { mayCreateNewVersion: 'true' });
    registrationId = await direct.register(courseId, `learner of ${courseId}`);
  });

  const ofCourse = <Data>(method: string, ...parameters: unknown[]) =>
    client.call<Data>('CourseApi', method, ...parameters);
  const ofRegistration = <Data>(method: string, ...parameters: unknown[]) =>
    client.call<Data>('RegistrationApi', method, registrationId, ...parameters);

  it('getAbout and getAppToken answer', async () => {
    expect(await client.call('AboutApi', 'getAbout')).toMatchObject({
      version: expect.any(String),
    });
    const expiration = { expiration: 60 };
    expect(
      await client.call('AuthenticationApi', 'getAppToken', 'read:course', expiration),
    ).toMatchObject({ accessToken: expect.any(String), expiresIn: 60 });
  });

  it('courses are imported from a file, a media file and a URL', async () => {
    const jobOf = ({ result }: { result: string }) => client.importEnd(result);
    const uploaded = await withFile(makeDocument(), (path) =>
      ofCourse<{ result: string }>('createUploadAndImportCourseJob', randomUUID(), {
        file: createReadStream(path),
        uploadedContentType: 'application/pdf',
        contentMetadata: JSON.stringify({ title: 'A document' }),
      }),
    );
    expect(await jobOf(uploaded)).toMatchObject({
      status: 'COMPLETE',
      importResult: { course: { title: 'A document' } },
    });
    const fetchRequest = { url: `${files}/course.zip`, contentType: 'application/zip' };
    for (const [method, body] of [
      ['createFetchAndImportCourseJob', fetchRequest],
      ['createNoUploadAndImportCourseJob', { fetchRequest }],
    ] as const) {
      const begun = await ofCourse<{ result: string }>(method, randomUUID(), body, {});
      expect(await jobOf(begun)).toMatchObject({ importResult: { course: { title: 'Fetched' } } });
    }
  });

  it('the files of a course are listed, downloaded and downloaded as a zip file', async () => {
    const list = { files: [{ path: 'imsmanifest.xml' }, { path: 'page.html' }] };
    expect(await ofCourse('getCourseFileList', courseId)).toMatchObject(list);
    expect(await ofCourse('getCourseVersionFileList', courseId, 0)).toMatchObject(list);
    const manifest = 'imsmanifest.xml';
    const text = (data: unknown) => Buffer.from(data as Buffer).toString();
    expect(text(await ofCourse('getCourseAsset', courseId, manifest))).toContain('Second');
    expect(text(await ofCourse('getCourseVersionAsset', courseId, 0, manifest))).toContain('First');
    for (const [title, zip] of [
      ['Second', await ofCourse('getCourseZip', courseId)],
      ['First', await ofCourse('getVersionedCourseZip', courseId, 0)],
    ] as const) {
      const copy = randomUUID();
      await direct.import(copy, Buffer.from(zip as Buffer));
      expect(await ofCourse('getCourse', copy, {})).toMatchObject({ title });
    }
  });

  it('versions of a course are listed, read, previewed and deleted', async () => {
    expect(await ofCourse('getCourseVersions', courseId, {})).toMatchObject({
      courses: [{ version: 1 }, { version: 0 }],
    });
    expect(await ofCourse('getCourseVersionInfo', courseId, 0, {})).toMatchObject({
      title: 'First',
    });
    const launch = { redirectOnExitUrl: 'https://shop.example/' };
    const link = { launchLink: expect.stringContaining('/launch/') };
    expect(await ofCourse('buildCoursePreviewLaunchLink', courseId, launch)).toMatchObject(link);
    expect(
      await ofCourse('buildCoursePreviewLaunchLinkWithVersion', courseId, 0, launch),
    ).toMatchObject(link);
    await ofCourse('deleteCourseVersion', courseId, 0);
    expect(await ofCourse('getCourseVersions', courseId, {})).toMatchObject({
      courses: [{ version: 1 }],
    });
  });

  it('tags are added to one or several courses and registrations, and deleted', async () => {
    const tags = { tags: ['autumn'] };
    await ofCourse('putCourseTags', courseId, tags);
    await ofCourse('putCourseTagsBatch', { ids: [courseId], tags: ['winter'] });
    expect(await ofCourse('getCourseTags', courseId)).toMatchObject({ tags: ['autumn', 'winter'] });
    await ofCourse('deleteCourseTags', courseId, tags);
    expect(await ofCourse('getCourses', { tags: ['winter'] })).toMatchObject({
      courses: [{ id: courseId, tags: ['winter'] }],
    });
    const batch = { ids: [registrationId], tags: ['winter'] };
    await client.call('RegistrationApi', 'putRegistrationTagsBatch', batch);
    expect(await ofRegistration('getRegistrationTags')).toMatchObject({ tags: ['winter'] });
  });

  it('tags are added to one or several learners, and deleted', async () => {
    const learnerId = `learner of ${courseId}`;
    const ofLearner = (method: string, ...parameters: unknown[]) =>
      client.call('LearnerApi', method, ...parameters);
    const tags = { tags: ['autumn'] };
    await ofLearner('putLearnerTags', learnerId, tags);
    await ofLearner('putLearnerTagsBatch', { ids: [learnerId], tags: ['winter'] });
    expect(await ofLearner('getLearnerTags', learnerId)).toMatchObject({
      tags: ['autumn', 'winter'],
    });
    await ofLearner('deleteLearnerTags', learnerId, tags);
    expect(await ofLearner('getLearnerTags', learnerId)).toMatchObject({ tags: ['winter'] });
  });

  it('settings are set, read and deleted at every level', async () => {
    const settings = { settings: [{ settingId: 'PlayerShowCourseStructure', value: 'false' }] };
    const id = 'PlayerShowCourseStructure';
    for (const [api, name, ...of] of [
      ['ApplicationManagementApi', 'ApplicationConfiguration'],
      ['CourseApi', 'CourseConfiguration', courseId],
      ['CourseApi', 'CourseVersionConfiguration', courseId, 1],
      ['RegistrationApi', 'RegistrationConfiguration', registrationId],
      ['RegistrationApi', 'RegistrationInstanceConfiguration', registrationId, 0],
    ] as const) {
      const read = async () => {
        const { settingItems } = await client.call<{
          settingItems: { id: string; effectiveValue: string }[];
        }>(api, `get${name}`, ...of, {});
        return settingItems.find((item) => item.id === id)?.effectiveValue;
      };
      // Of an application, these methods have options too.
      const options = of.length === 0 ? [{}] : [];
      await client.call(api, `set${name}`, ...of, settings, ...options);
      expect([name, await read()]).toEqual([name, 'false']);
      await client.call(api, `delete${name}Setting`, ...of, id, ...options);
      expect([name, await read()]).toEqual([name, 'true']);
    }
  });

  it('a learner is renamed in all registrations, and erased', async () => {
    const learnerId = `learner of ${courseId}`;
    await client.call('LearnerApi', 'updateLearnerInfo', learnerId, { firstName: 'Grace' });
    expect(await ofRegistration('getRegistrationProgress', {})).toMatchObject({
      learner: { id: learnerId, firstName: 'Grace' },
    });
    await client.call('LearnerApi', 'deleteAllLearnerData', learnerId, 'ada@example.com');
    await eventually('the learner has been erased', async () => {
      const { learner } = await ofRegistration<{ learner: { id: string; firstName: string } }>(
        'getRegistrationProgress',
        {},
      );
      return learner.id.startsWith('erased-') && learner.firstName === '';
    });
  });

  it('testRegistrationPostback posts a result to a receiver', async () => {
    const before = receiver.received.length;
    const postBack = postBackOf({ url: `${receiver.origin}/test`, authType: 'FORM' });
    await client.call('RegistrationApi', 'testRegistrationPostback', postBack);
    const [posted] = (await receiver.arrived(before + 1)).slice(before);
    const data = new URLSearchParams(posted?.body).get('data');
    expect(JSON.parse(data ?? '')).toMatchObject({ registrationCompletion: 'COMPLETED' });
  });

  it('instances of a registration are begun, listed, read and deleted', async () => {
    await ofRegistration('createNewRegistrationInstance');
    expect(await ofRegistration('getRegistrationInstances', {})).toMatchObject({
      registrations: [{ instance: 1 }, { instance: 0 }],
    });
    for (const instance of [0, 1]) {
      expect(await ofRegistration('getRegistrationInstanceProgress', instance, {})).toMatchObject({
        id: registrationId,
        instance,
      });
      expect(
        await ofRegistration('getRegistrationInstanceLaunchHistory', instance, {}),
      ).toMatchObject({ launchHistory: [] });
    }
    await ofRegistration('deleteRegistrationGlobalData');
    await ofRegistration('deleteRegistrationInstance', 1);
    expect(await ofRegistration('getRegistrationProgress', {})).toMatchObject({ instance: 0 });
  });
});
