import { describe, expect, it } from 'vitest';
import { CourseProviderError } from './course-provider-error.ts';
import { responseFault, networkFault, secondsUntil, timeoutFault } from './provider-faults.ts';
import { maxAttempts, retryDelay } from './retry-delay.ts';

const message = (text: string) => JSON.stringify({ message: text });

describe('responseFault', () => {
  it.each([
    [400, message('no'), 'refused'],
    [401, JSON.stringify({ error: 'who?' }), 'unauthorized'],
    [403, message('no permission'), 'unauthorized'],
    [404, message('gone'), 'not-found'],
    [404, message('There is no resource at this path.'), 'unavailable'],
    [409, message('Course x already exists'), 'refused'],
    [404, '<html>', 'unavailable'],
    [429, message('slow down'), 'throttled'],
    [301, '', 'unavailable'],
    [500, message('broken'), 'unavailable'],
    [503, '', 'unavailable'],
  ])('maps status %i with the body %s to %s', (status, body, kind) => {
    expect(responseFault(status, body, null).kind).toBe(kind);
  });

  it("returns the provider's message, or the status when there is none", () => {
    expect(responseFault(400, message('The course is locked.'), null)).toMatchObject({
      providerCode: '400',
      providerMessage: 'The course is locked.',
    });
    expect(responseFault(401, '{"error":"who?"}', null).providerMessage).toBe('who?');
    expect(responseFault(502, '<html>', null).providerMessage).toBe('HTTP status 502');
  });
});

describe('secondsUntil', () => {
  const now = Date.parse('2026-03-01T00:00:00Z');
  it('parses Retry-After as seconds or as a date', () => {
    expect(secondsUntil('120', now)).toBe(120);
    expect(secondsUntil('Sun, 01 Mar 2026 00:00:30 GMT', now)).toBe(30);
    expect(secondsUntil('Sat, 28 Feb 2026 00:00:00 GMT', now)).toBe(0);
    expect(secondsUntil('soon', now)).toBeNull();
  });
});

describe('retryDelay', () => {
  const unavailable = (providerCode: string) => ({
    ...timeoutFault,
    kind: 'unavailable' as const,
    providerCode,
  });

  it('doubles with each attempt, and returns null when the deadline is nearer', () => {
    expect(retryDelay(unavailable('ECONNRESET'), 1, Infinity, 1)).toBe(100);
    expect(retryDelay(unavailable('503'), 2, Infinity, 1)).toBe(200);
    expect(retryDelay(unavailable('503'), 2, Infinity, 0)).toBe(100);
    expect(retryDelay(unavailable('503'), maxAttempts, Infinity, 0)).toBeNull();
    expect(retryDelay(unavailable('503'), 1, 60, 1)).toBeNull();
  });

  it('returns null for a fault that is not transient, and for a response with Retry-After', () => {
    expect(retryDelay(unavailable('500'), 1, Infinity, 0)).toBeNull();
    expect(retryDelay(unavailable('404'), 1, Infinity, 0)).toBeNull();
    expect(retryDelay(timeoutFault, 1, Infinity, 0)).toBeNull();
    expect(retryDelay({ ...unavailable('503'), retryAfter: 5 }, 1, Infinity, 0)).toBeNull();
  });
});

describe('the detail of a CourseProviderError', () => {
  const codeFor = (text: string, status = 400) =>
    new CourseProviderError({
      ...responseFault(status, message(text), null),
      method: 'POST',
      url: 'https://host/api/v2/registrations',
    }).detail?.error_code;

  it.each([
    ['The maximum number of registrations has been reached.', '4'],
    ['Registration limit reached for this account', '4'],
    ['You have exceeded your registration quota', '4'],
    ['The course does not exist.', '400'],
    ['The registration id is in use.', '400'],
    ['The title is longer than the maximum.', '400'],
  ])('maps the message "%s" to the error code %s', (text, code) => {
    expect(codeFor(text)).toBe(code);
  });
});

describe('networkFault', () => {
  it("returns the network's error code", () => {
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    expect(networkFault(new TypeError('fetch failed', { cause: refused }))).toMatchObject({
      kind: 'unavailable',
      providerCode: 'ECONNREFUSED',
    });
  });
});
