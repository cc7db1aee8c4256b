import { describe, expect, it } from 'vitest';
import { acceptedEncodings } from './accepted-encodings.ts';

describe('acceptedEncodings', () => {
  it.each([
    ['gzip, deflate, br, zstd', ['br', 'gzip', 'identity']],
    ['gzip, deflate', ['gzip', 'identity']],
    ['gzip;q=1, br;q=0.5', ['br', 'gzip', 'identity']],
    ['br;q=0, gzip', ['gzip', 'identity']],
    ['*', ['br', 'gzip', 'identity']],
    // Of media elements and of requests for ranges (Fetch Standard, "HTTP-network-or-cache fetch").
    ['identity;q=1, *;q=0', ['identity']],
    ['identity', ['identity']],
    ['identity;q=0', ['identity']],
    ['', ['identity']],
    [undefined, ['identity']],
  ])('the header Accept-Encoding %j accepts %j', (header, accepted) => {
    expect(acceptedEncodings({ headers: { 'accept-encoding': header } })).toEqual(accepted);
  });
});
