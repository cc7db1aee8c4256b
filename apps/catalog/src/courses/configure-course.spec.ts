import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { configureCourse, readCourseSettings } from '@registrar/contracts';
import { stepTime } from '@registrar/persistence/testing';
import { runWithin } from '@registrar/platform';
import { eventually } from '@registrar/testing';
import { randomUUID } from 'node:crypto';
import { type CatalogFixture, scopeOf, startCatalogFixture } from '../catalog.fixture.ts';

const shows = 'PlayerShowCourseStructure';

describe('course configure', () => {
  let catalog: CatalogFixture;
  let courseGuid: string;

  beforeAll(async () => {
    catalog = await startCatalogFixture();
  });
  beforeEach(async () => {
    catalog.provider.intercept = () => undefined;
    courseGuid = randomUUID();
    catalog.account(1).addCourse(courseGuid);
    await catalog.register(courseGuid);
  });
  afterAll(() => catalog?.stop());

  const configure = (
    set: Readonly<Record<string, string>>,
    removed: string[] = [],
    scope = scopeOf(),
  ) => catalog.bus.request(configureCourse, { scope, courseGuid, set, removed });
  const read = (scope = scopeOf()) =>
    catalog.bus.request(readCourseSettings, { scope, courseGuid });

  it('sets and removes settings at the provider, and tells the audit log which', async () => {
    const changed = { settings: [{ id: shows, value: 'false', source: 'course' }] };
    const removed = { settings: [{ id: shows, value: 'true', source: 'default' }] };
    expect(await read()).toEqual(removed);
    expect(await configure({ [shows]: 'false' })).toEqual(changed);
    expect(await read()).toEqual(changed);
    expect(await configure({}, [shows])).toEqual(removed);
    const acts = await catalog.published('catalog.audited');
    const subject = { course_guid: courseGuid, application_id: 1 };
    const act = { action: 'course.configured', actor: { kind: 'operator' }, realmId: 1 };
    expect(acts.slice(-2)).toMatchObject([
      { ...act, subject: { ...subject, set: shows, removed: '' } },
      { ...act, subject: { ...subject, set: '', removed: shows } },
    ]);
  });

  it('fails with the message of the provider for a setting that it refuses, and removes none', async () => {
    await configure({ [shows]: 'false' });
    const before = (await catalog.published('catalog.audited')).length;
    await expect(configure({ NoSetting: '1' }, [shows])).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('NoSetting is not a setting.'),
    });
    expect(await read()).toMatchObject({ settings: [{ id: shows, value: 'false' }] });
    expect(await catalog.published('catalog.audited')).toHaveLength(before);
  });

  it('tells the audit log what was set before the provider refused to remove another setting', async () => {
    catalog.provider.intercept = ({ method }) =>
      method === 'DELETE' ? { status: 400, body: { message: 'refused' } } : undefined;
    const failing = configure({ [shows]: 'false' }, ['PlayerLaunchType']);
    await expect(failing).rejects.toMatchObject({ code: 'invalid' });
    expect(await read()).toMatchObject({ settings: [{ id: shows, source: 'course' }] });
    const acts = await catalog.published('catalog.audited');
    expect(acts.at(-1)).toMatchObject({
      action: 'course.configured',
      subject: { course_guid: courseGuid, set: shows, removed: '' },
    });
  });

  it('tells the audit log what was tried when the provider loses the response', async () => {
    catalog.provider.intercept = ({ method }) => (method === 'POST' ? 'lose' : undefined);
    const failing = configure({ [shows]: 'false' }, ['PlayerLaunchType']);
    await expect(failing).rejects.toMatchObject({ code: 'unavailable' });
    expect(await read()).toMatchObject({ settings: [{ id: shows, source: 'course' }] });
    const acts = await catalog.published('catalog.audited');
    expect(acts.at(-1)).toMatchObject({
      action: 'course.configured',
      subject: { course_guid: courseGuid, set: '', removed: '', uncertain: shows },
    });
  });

  it('tells the audit log what was tried when the deadline passes before the provider responds', async () => {
    const timeoutMs = 60_000;
    catalog.provider.intercept = async ({ method }) => {
      if (method === 'DELETE') await stepTime(timeoutMs / 1_000, catalog.database);
      return undefined;
    };
    const failing = runWithin(timeoutMs, () =>
      configure({ [shows]: 'false' }, ['PlayerLaunchType']),
    );
    await expect(failing).rejects.toMatchObject({ code: 'expired' });
    await eventually('the audit log has what was tried', async () => {
      const acts = await catalog.published('catalog.audited');
      expect(acts.at(-1)).toMatchObject({
        subject: { course_guid: courseGuid, set: shows, uncertain: 'PlayerLaunchType' },
      });
      return true;
    });
  });

  it('refuses more than 100 settings at a time', async () => {
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`S${at}`, '1']));
    await expect(configure(many)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('malformed catalog.configure-course'),
    });
    expect(await read()).toMatchObject({ settings: [{ id: shows, source: 'default' }] });
  });

  it('fails with not-found for a course of another realm', async () => {
    const scope = scopeOf({ realmId: 2, applicationIds: [3] });
    const refused = { code: expect.stringMatching(/^(not-found|unauthenticated)$/) };
    await expect(read(scope)).rejects.toMatchObject(refused);
    await expect(configure({}, [shows], scope)).rejects.toMatchObject(refused);
  });

  it('fails with unavailable while the provider cannot be reached', async () => {
    catalog.provider.intercept = () => 'drop';
    await expect(read()).rejects.toMatchObject({ code: 'unavailable' });
    await expect(configure({ [shows]: 'true' })).rejects.toMatchObject({ code: 'unavailable' });
  });
});
