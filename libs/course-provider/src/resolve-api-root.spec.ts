import { describe, expect, it } from 'vitest';
import { resolveApiRoot } from './resolve-api-root.ts';

describe('resolveApiRoot', () => {
  it.each([
    ['https://host', 'https://host/api/v2/'],
    ['http://host:8090/', 'http://host:8090/api/v2/'],
    ['https://host/api/v2', 'https://host/api/v2/'],
    ['https://host/api/v2/', 'https://host/api/v2/'],
    ['https://host/some/prefix', 'https://host/some/prefix/api/v2/'],
    ['https://host/some/prefix/api/v2//', 'https://host/some/prefix/api/v2/'],
  ])('resolves %s to %s', (baseUrl, root) => {
    expect(resolveApiRoot(baseUrl).href).toBe(root);
  });

  it('drops credentials, query and fragment', () => {
    expect(resolveApiRoot('https://me:secret@host/api/v2?key=1#x').href).toBe(
      'https://host/api/v2/',
    );
  });
});
