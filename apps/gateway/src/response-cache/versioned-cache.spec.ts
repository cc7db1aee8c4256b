import { describe, expect, it, vi } from 'vitest';
import { testScope } from '@registrar/testing';
import { coursesOf } from './catalog-versions.ts';
import { VersionedCache } from './versioned-cache.ts';

describe('values that are kept', () => {
  let versions = ['1', '23'];
  const records = coursesOf(testScope({ applicationIds: [1, 2] })) ?? [];
  const placeIn = () => {
    const bytesOf = (value: string) => value.length;
    const cache = new VersionedCache({ read: async () => versions }, bytesOf);
    return () => cache.find(1, ['list'], records);
  };
  const found = async (place: ReturnType<typeof placeIn>) => (await place()).value;
  /** Finds nothing, and keeps a value. */
  const miss = async (place: ReturnType<typeof placeIn>, kept = 'value') => {
    const { value, keep } = await place();
    expect(value).toBeNull();
    keep(kept);
  };

  it('values that are kept are found from the second equal request on', async () => {
    const place = placeIn();
    await miss(place);
    await miss(place);
    expect(await found(place)).toBe('value');
  });

  it('values that are kept are found for the versions of all their records', async () => {
    const place = placeIn();
    await miss(place);
    await miss(place);
    versions = ['12', '3'];
    expect(await found(place)).toBeNull();
  });

  it('values that are kept are at most 128 KiB with what their entry takes', async () => {
    const place = placeIn();
    const largest = 'a'.repeat(128 * 1024 - 512);
    await miss(place);
    await miss(place, `${largest}a`);
    await miss(place);
    await miss(place, largest);
    expect(await found(place)).toBe(largest);
  });

  it('values that are kept are at most 512 KiB of a realm, and displace none of another', async () => {
    const bytesOf = (value: string) => value.length;
    const cache = new VersionedCache({ read: async () => ['1'] }, bytesOf);
    const keep = async (realmId: number, part: number) => {
      await cache.find(realmId, [part], records);
      const { keep } = await cache.find(realmId, [part], records);
      keep('a'.repeat(100 * 1024));
    };
    const kept = async (realmId: number, part: number) =>
      (await cache.find(realmId, [part], records)).value !== null;
    await keep(1, 0);
    for (let part = 0; part <= 5; part += 1) await keep(2, part);
    expect([await kept(1, 0), await kept(2, 0), await kept(2, 1)]).toEqual([true, false, true]);
  });

  it('values that are kept are of one realm, and not needed when the catalog tells no version', async () => {
    const bytesOf = (value: string) => value.length;
    const read = vi.fn<() => Promise<string[]>>(async () => ['1']);
    const cache = new VersionedCache({ read }, bytesOf);
    const place = () => cache.find(1, ['list'], records);
    for (const value of ['seen', 'value']) (await place()).keep(value);
    expect((await place()).value).toBe('value');
    await cache.find(2, ['list'], records);
    expect((await cache.find(2, ['list'], records)).value).toBeNull();
    read.mockRejectedValue(new Error('the catalog is unavailable'));
    const unknown = await place();
    expect(unknown.value).toBeNull();
    unknown.keep('of an unknown version');
    read.mockResolvedValue(['1']);
    expect((await place()).value).toBe('value');
  });

  it('values that are kept are of at most 16 provider applications', () => {
    const reaching = (count: number) =>
      coursesOf(testScope({ applicationIds: Array.from({ length: count }, (_, id) => id + 1) }));
    expect(reaching(16)).toHaveLength(16);
    expect(reaching(17)).toBeNull();
  });
});
