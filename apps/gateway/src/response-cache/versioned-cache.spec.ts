import { describe, expect, it } from 'vitest';
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
    await miss(place);
    await miss(place, 'a'.repeat(128 * 1024));
    expect(await found(place)).toBeNull();
  });

  it('values that are kept are of at most 16 provider applications', () => {
    const reaching = (count: number) =>
      coursesOf(testScope({ applicationIds: Array.from({ length: count }, (_, id) => id + 1) }));
    expect(reaching(16)).toHaveLength(16);
    expect(reaching(17)).toBeNull();
  });
});
