import { expect, it } from 'vitest';
import { readPages } from './bus-client.ts';

it('requests few items after a page of long ones, and soon as many as before', async () => {
  const sizes = [500, 500, 10, 20, 64, 128, 256, 500, 1];
  const limits: number[] = [];
  const pages = readPages(async ({ cursor, limit }) => {
    const place = Number(cursor ?? 0);
    limits.push(limit);
    const items = Array.from({ length: Math.min(sizes[place] ?? 0, limit) }, () => place);
    return { items, next: place + 1 < sizes.length ? String(place + 1) : null };
  }, 500);
  let count = 0;
  for await (const { items } of pages) count += items.length;
  expect(limits).toEqual([500, 500, 500, 20, 40, 80, 160, 320, 500]);
  expect(count).toBe(500 + 500 + 10 + 20 + 40 + 80 + 160 + 320 + 1);
});

it('reads a list from a cursor, and counts it with the first page alone', async () => {
  const requests: unknown[] = [];
  const pages = readPages(
    async (request) => {
      requests.push(request);
      return { items: [1], next: requests.length < 2 ? 'b' : null };
    },
    500,
    { cursor: 'a', count: true },
  );
  for await (const _ of pages);
  expect(requests).toEqual([
    { cursor: 'a', limit: 500, count: true },
    { cursor: 'b', limit: 16 },
  ]);
});
