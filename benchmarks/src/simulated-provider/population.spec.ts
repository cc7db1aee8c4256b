import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { guidOf, Population, registrationOf, sizesOf } from './population.ts';

const generated = z.object({
  id: z.string(),
  totalSecondsTracked: z.number(),
  updated: z.iso.datetime(),
});

const end = Date.UTC(2026, 0, 1);

describe('sizesOf', () => {
  it('divides a million registrations into applications of very different sizes', () => {
    const sizes = sizesOf(1_000_000, 50);
    expect(sizes).toHaveLength(50);
    expect(sizes.slice(0, 2)).toEqual([900_006, 11_066]);
    expect(sizes.filter((size) => size === 10)).toHaveLength(40);
  });
});

describe('a generated population', () => {
  const read = (population: Population, number: number) =>
    generated.parse(JSON.parse(population.json({ application: 2, number })));

  it('generates the same registration each time', () => {
    const population = new Population([1, 5], end);
    expect(read(population, 3)).toEqual(read(new Population([1, 5], end), 3));
    expect(read(population, 3).id).toBe(guidOf({ application: 2, number: 3 }));
    expect(registrationOf('scale-2-3')).toEqual({ application: 2, number: 3 });
    expect(registrationOf('other')).toBeNull();
  });

  it('a generated population was created in two years, of which the second has three quarters of it', () => {
    const population = new Population([1_000], end);
    const times = Array.from({ length: 1_000 }, (_, number) =>
      population.createdAt({ application: 1, number }),
    );
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(times[0]).toBe(Date.UTC(2024, 0, 2));
    expect(times.at(-1)).toBeLessThan(end);
    expect(population.createdBefore(1, Date.UTC(2025, 0, 1))).toBe(250);
    expect(population.createdBefore(1, end)).toBe(1_000);
  });

  it('knows how many registrations were created before a time', () => {
    const population = new Population([100], end);
    for (const number of [0, 1, 50, 99]) {
      const at = population.createdAt({ application: 1, number });
      expect(population.createdBefore(1, at)).toBe(number);
      expect(population.createdBefore(1, at + 1)).toBe(number + 1);
    }
    expect(population.createdBefore(1, Infinity)).toBe(100);
  });

  it('lists what has changed since a time', () => {
    const population = new Population([1, 5], end);
    expect(population.changedBetween(2, 0, Infinity)).toEqual([]);
    expect(population.change(2, 1_000)).toEqual([1, 3]);
    expect(population.change(4, 2_000)).toEqual([1, 2]);
    expect(population.changedBetween(2, 1_000, 2_000)).toEqual([2, 0, 4]);
    expect(population.changedBetween(2, 1_001, 2_000)).toEqual([0, 4]);
    expect(population.changedBetween(2, 0, 1_999)).toEqual([2]);
    expect(read(population, 4)).toMatchObject({
      totalSecondsTracked: 120,
      updated: '1970-01-01T00:00:02.000Z',
    });
  });
});
