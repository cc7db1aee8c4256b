import { describe, expect, it } from 'vitest';
import { bareActivity, launchablesOf } from './course-structure.ts';
import { findApiUsers } from './find-api-users.ts';

const root = (pages: number) =>
  bareActivity({
    id: 'course',
    title: 'Course',
    children: Array.from({ length: pages }, (_, at) =>
      bareActivity({
        id: `page-${at}`,
        title: 'Page',
        resource: { id: `page-${at}`, type: 'ASSET', href: `${at}.html` },
      }),
    ),
  });

describe('findApiUsers', () => {
  it('findApiUsers finds pages whose script calls the API', async () => {
    const files = new Map([
      ['0.html', '<script defer\n src = "a.js?version=1"></script>'],
      ['1.html', '<script src="b.js"></script>'],
      ['a.js', 'window.parent.API.LMSInitialize("")'],
      ['b.js', 'play()'],
    ]);
    const users = await findApiUsers(launchablesOf(root(2)), {
      find: (path) => (files.has(path) ? path : undefined),
      read: async (path) => Buffer.from(files.get(path) ?? ''),
      sizes: new Map([...files].map(([path, text]) => [path, text.length])),
    });
    expect(users.map(({ id }) => id)).toEqual(['page-0']);
  });

  // With time that grows with the square of the size, it takes longer than any test may.
  it('findApiUsers takes time in proportion to the size of pages with unclosed tags', async () => {
    const page = Buffer.from('<script '.repeat(64 * 1024));
    const users = await findApiUsers(launchablesOf(root(100)), {
      find: () => undefined,
      read: async () => page,
      sizes: new Map(),
    });
    expect(users).toEqual([]);
  });
});
