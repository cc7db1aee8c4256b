import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectCourseProvider } from '@registrar/course-provider';
import { freePort, SimulatedProvider } from '@registrar/testing';
import { checkProvider } from './check-provider.ts';

describe('the check of a course provider', () => {
  let provider: SimulatedProvider;

  beforeEach(async () => {
    provider = await SimulatedProvider.start();
  });
  afterEach(() => provider.stop());

  const check = async (parts: { baseUrl?: string; secretKey?: string } = {}) => {
    const { appId, secretKey } = provider.addAccount('app');
    const { findings } = await checkProvider(
      connectCourseProvider({ baseUrl: provider.url, appId, secretKey, ...parts }),
    );
    return findings;
  };

  it('finds one that can be used, and counts its courses', async () => {
    provider.pageSize = 2;
    const account = provider.addAccount('app');
    for (const course of ['a', 'b', 'c', 'd', 'e']) account.addCourse(course);
    const { appId, secretKey } = account;
    const { findings, faultKind } = await checkProvider(
      connectCourseProvider({ baseUrl: provider.url, appId, secretKey }),
    );
    expect(findings).toEqual({
      reachable: true,
      credentials_accepted: true,
      clock_skew_seconds: expect.any(Number),
      courses: 5,
      fault: null,
    });
    expect(faultKind).toBeNull();
  });

  it('finds a clock that is wrong, or none', async () => {
    let currentTime: string | undefined = new Date(Date.now() + 3_600_000).toISOString();
    provider.intercept = ({ path }) =>
      path === 'ping' ? { status: 200, body: { apiMessage: 'pong', currentTime } } : undefined;
    const { clock_skew_seconds: skew } = await check();
    expect(Math.abs((skew ?? 0) - 3600)).toBeLessThanOrEqual(1);
    currentTime = undefined;
    expect(await check()).toMatchObject({ clock_skew_seconds: null, fault: null });
  });

  it('finds credentials that are not accepted', async () => {
    expect(await check({ secretKey: 'wrong' })).toMatchObject({
      reachable: true,
      credentials_accepted: false,
      courses: null,
      fault: expect.stringContaining('401'),
    });
  });

  it('finds nobody where nobody is', async () => {
    const baseUrl = `http://127.0.0.1:${await freePort()}`;
    expect(await check({ baseUrl })).toMatchObject({
      reachable: false,
      credentials_accepted: null,
      fault: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('finds courses that cannot be listed', async () => {
    provider.intercept = ({ path }) =>
      path === 'courses' ? { status: 403, body: { message: 'Not you.' } } : undefined;
    expect(await check()).toMatchObject({
      reachable: true,
      courses: null,
      fault: expect.stringContaining('Not you.'),
    });
  });
});
