import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type InputOf } from '@registrar/bus';
import { launchRegistration } from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import { type EnrolmentFixture, scopeOf, startEnrolmentFixture } from '../enrolment.fixture.ts';

describe('registration launch', () => {
  let enrolment: EnrolmentFixture;
  let guid: string;

  beforeAll(async () => {
    enrolment = await startEnrolmentFixture();
    guid = (await enrolment.create('ada@example.org')).registration_guid;
  });
  afterEach(() => {
    enrolment.provider.intercept = () => undefined;
  });
  afterAll(() => enrolment.stop());

  const launch = async (parts: Partial<InputOf<typeof launchRegistration>> = {}) => {
    const { launch_url } = await enrolment.bus.request(launchRegistration, {
      scope: scopeOf(),
      registrationGuid: guid,
      review: false,
      redirectUrl: null,
      ...parts,
    });
    return new URL(launch_url);
  };
  const launchedAt = async () => {
    const [record] = await enrolment.index({ registrationGuid: guid });
    return record?.launched_at;
  };
  const clearLaunch = () =>
    enrolment.database.execute(
      sql`UPDATE registrations SET launched_at = NULL WHERE registration_guid = ${guid}`,
    );
  const launches = () => enrolment.published('enrolment.registration-launched');

  it('returns the provider’s link, stores the time and publishes the launch', async () => {
    const link = await launch({ redirectUrl: 'https://example.org/back?a=b' });
    expect(link.pathname).toBe(`/${guid}`);
    expect(Object.fromEntries(link.searchParams)).toEqual({
      expiry: '120',
      tracking: 'true',
      redirectOnExitUrl: 'https://example.org/back?a=b',
    });
    expect(await launchedAt()).toMatch(/Z$/);
    expect(await launches()).toMatchObject([
      { registrationGuid: guid, applicationId: 1, courseGuid: 'swimming' },
    ]);
  });

  it('returns a link without tracking for a review, and publishes nothing', async () => {
    await clearLaunch();
    const before = await launches();
    const link = await launch({ review: true });
    expect(link.searchParams.get('tracking')).toBe('false');
    expect(await launchedAt()).not.toBeNull();
    expect(await launches()).toEqual(before);
  });

  it.each([
    ['unknown', { registrationGuid: 'nothing' }],
    ['of an application out of reach', { scope: scopeOf({ applicationIds: [2] }) }],
    ['of another user', { scope: scopeOf({ email: 'bob@example.org' }) }],
  ])('returns not-found for a registration that is %s', async (_, parts) => {
    const before = enrolment.provider.requests.length;
    await expect(launch(parts)).rejects.toMatchObject({ code: 'not-found' });
    expect(enrolment.provider.requests).toHaveLength(before);
  });

  it('returns a link for the own registration of a user-bound key', async () => {
    const link = await launch({ scope: scopeOf({ email: 'Ada@example.org' }) });
    expect(link.pathname).toBe(`/${guid}`);
  });

  it.each([
    ['does not have it', 404, 'not-found'],
    ['rejects the call', 400, 'unavailable'],
    ['rejects the credentials', 401, 'unavailable'],
    ['fails', 500, 'unavailable'],
  ])('fails, and stores the error and no launch, when the provider %s', async (_, status, code) => {
    await clearLaunch();
    const before = await launches();
    enrolment.provider.intercept = () => ({ status, body: { message: 'no' } });
    await expect(launch()).rejects.toMatchObject({ code });
    expect(await launchedAt()).toBeNull();
    expect(await launches()).toEqual(before);
    const error = { provider_errcode: String(status), provider_error_message: 'no' };
    const [failed] = await enrolment.index({ registrationGuid: guid });
    expect(failed).toMatchObject(error);
    enrolment.provider.intercept = () => undefined;
    await launch();
    expect((await enrolment.index({ registrationGuid: guid }))[0]).toMatchObject(error);
  });
});
