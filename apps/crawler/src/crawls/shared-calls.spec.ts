import { describe, expect, it } from 'vitest';
import { SharedCalls } from './shared-calls.ts';

/** Calls that the suite ends. */
function startCalls() {
  const calls = new SharedCalls<number>();
  const begun: (PromiseWithResolvers<number> & { deadline: number })[] = [];
  const later = Date.now() + 60_000;
  const request = (key = 'a', deadline = later) =>
    calls.request(key, deadline, (callDeadline) => {
      const call = { ...Promise.withResolvers<number>(), deadline: callDeadline };
      begun.push(call);
      return call.promise;
    });
  return { calls, begun, later, request };
}

describe('shared calls', () => {
  it('shared calls make one more call for all who ask while a call is in flight', async () => {
    const { calls, begun, request } = startCalls();
    const first = request();
    const next = Array.from({ length: 20 }, () => request());
    expect(begun).toHaveLength(1);
    begun[0]?.resolve(1);
    expect(await first).toBe(1);
    expect(begun).toHaveLength(2);
    const third = request();
    expect(begun).toHaveLength(2);
    begun[1]?.resolve(2);
    expect(new Set(await Promise.all(next))).toEqual(new Set([2]));
    begun[2]?.resolve(3);
    expect(await third).toBe(3);
    expect(begun).toHaveLength(3);
    expect(calls.size).toBe(0);
  });

  it('shared calls are apart for each key, and made anew when none is in flight', async () => {
    const { calls, begun, request } = startCalls();
    const [one, other] = [request('a'), request('b')];
    expect(calls.size).toBe(2);
    begun[0]?.resolve(1);
    begun[1]?.resolve(2);
    expect([await one, await other]).toEqual([1, 2]);
    const again = request('a');
    begun[2]?.resolve(3);
    expect(await again).toBe(3);
    expect(calls.size).toBe(0);
  });

  it('shared calls fail for those who share them alone', async () => {
    const { calls, begun, request } = startCalls();
    const [first, second, third] = [request(), request(), request()];
    begun[0]?.reject(new Error('it broke'));
    await expect(first).rejects.toThrow('it broke');
    begun[1]?.reject(new Error('it broke again'));
    for (const each of [second, third]) await expect(each).rejects.toThrow('it broke again');
    const next = request();
    begun[2]?.resolve(3);
    expect(await next).toBe(3);
    expect(calls.size).toBe(0);
  });

  it('shared calls go on until the latest deadline of those who share them', async () => {
    const { begun, later, request } = startCalls();
    const first = request();
    // The first of them requests the call, and gives up before it begins.
    const gaveUp = request('a', Date.now());
    const patient = request('a', later);
    request('a', later - 1_000).catch(() => undefined);
    await expect(gaveUp).rejects.toMatchObject({ code: 'expired' });
    begun[0]?.resolve(1);
    await first;
    expect(begun[1]?.deadline).toBe(later);
    begun[1]?.resolve(2);
    expect(await patient).toBe(2);
  });

  it('shared calls are not made when nobody waits for them any more', async () => {
    const { calls, begun, request } = startCalls();
    const first = request();
    await expect(request('a', Date.now())).rejects.toMatchObject({ code: 'expired' });
    begun[0]?.resolve(1);
    await first;
    expect(begun).toHaveLength(1);
    expect(calls.size).toBe(0);
  });
});
