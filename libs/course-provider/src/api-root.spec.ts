import { describe, expect, it } from '@jest/globals';
import { apiRootOf } from './api-root.ts';

describe('the root of the provider API', () => {
  it.each([
    ['https://host', 'https://host/api/v2/'],
    ['http://host:8090/', 'http://host:8090/api/v2/'],
    ['https://host/api/v2', 'https://host/api/v2/'],
    ['https://host/api/v2/', 'https://host/api/v2/'],
    ['https://host/some/prefix', 'https://host/some/prefix/api/v2/'],
    ['https://host/some/prefix/api/v2//', 'https://host/some/prefix/api/v2/'],
  ])('of %s is %s', (baseUrl, root) => {
    expect(apiRootOf(baseUrl).href).toBe(root);
  });

  it('carries neither credentials nor a query', () => {
    expect(apiRootOf('https://me:secret@host/api/v2?key=1#x').href).toBe('https://host/api/v2/');
  });
});
