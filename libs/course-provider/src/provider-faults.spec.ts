import { describe, expect, it } from '@jest/globals';
import { CourseProviderError } from './course-provider-error.ts';
import { answerFault, networkFault, secondsUntil, timeoutFault } from './provider-faults.ts';
import { mostAttempts, retryDelay } from './retries.ts';

const message = (text: string) => JSON.stringify({ message: text });

describe('what an answer means', () => {
  it.each([
    [400, message('no'), 'refused'],
    [401, JSON.stringify({ error: 'who?' }), 'unauthorized'],
    [403, message('no permission'), 'unauthorized'],
    [404, message('gone'), 'not-found'],
    [404, '<html>', 'unavailable'],
    [429, message('slow down'), 'throttled'],
    [301, '', 'unavailable'],
    [500, message('broken'), 'unavailable'],
    [503, '', 'unavailable'],
  ])('of status %i with %s is %s', (status, body, kind) => {
    expect(answerFault(status, body, null).kind).toBe(kind);
  });

  it('is told in its own words, or else by its status', () => {
    expect(answerFault(400, message('The course is locked.'), null)).toMatchObject({
      providerCode: '400',
      providerMessage: 'The course is locked.',
    });
    expect(answerFault(401, '{"error":"who?"}', null).providerMessage).toBe('who?');
    expect(answerFault(502, '<html>', null).providerMessage).toBe('HTTP status 502');
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-03-01T00:00:00Z');
  it('is seconds or a date', () => {
    expect(secondsUntil('120', now)).toBe(120);
    expect(secondsUntil('Sun, 01 Mar 2026 00:00:30 GMT', now)).toBe(30);
    expect(secondsUntil('Sat, 28 Feb 2026 00:00:00 GMT', now)).toBe(0);
    expect(secondsUntil('soon', now)).toBeNull();
  });
});

describe('a repeated call', () => {
  const unavailable = (providerCode: string) => ({
    ...timeoutFault,
    kind: 'unavailable' as const,
    providerCode,
  });

  it('waits longer each time, and never past the deadline', () => {
    expect(retryDelay(unavailable('ECONNRESET'), 1, Infinity, 1)).toBe(100);
    expect(retryDelay(unavailable('503'), 2, Infinity, 1)).toBe(200);
    expect(retryDelay(unavailable('503'), 2, Infinity, 0)).toBe(100);
    expect(retryDelay(unavailable('503'), mostAttempts, Infinity, 0)).toBeNull();
    expect(retryDelay(unavailable('503'), 1, 60, 1)).toBeNull();
  });

  it('is not made for what will not pass, or when the provider said when to come back', () => {
    expect(retryDelay(unavailable('500'), 1, Infinity, 0)).toBeNull();
    expect(retryDelay(unavailable('404'), 1, Infinity, 0)).toBeNull();
    expect(retryDelay(timeoutFault, 1, Infinity, 0)).toBeNull();
    expect(retryDelay({ ...unavailable('503'), retryAfter: 5 }, 1, Infinity, 0)).toBeNull();
  });
});

describe('the registration limit', () => {
  const codeFor = (text: string, status = 400) =>
    new CourseProviderError({
      ...answerFault(status, message(text), null),
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
  ])('is known by its message: %s', (text, code) => {
    expect(codeFor(text)).toBe(code);
  });
});

describe('a lost connection', () => {
  it('is told by the code of the network', () => {
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    expect(networkFault(new TypeError('fetch failed', { cause: refused }))).toMatchObject({
      kind: 'unavailable',
      providerCode: 'ECONNREFUSED',
    });
  });
});
