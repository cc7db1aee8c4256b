import { describe, expect, it } from 'vitest';
import { type Candidate, findReusableRegistration } from './reusable-registration.ts';

const candidate = (id: number, parts: Partial<Candidate> = {}): Candidate => ({
  id,
  registrationGuid: `registration-${id}`,
  ready: true,
  idempotencyKey: null,
  ...parts,
});

describe('findReusableRegistration', () => {
  const candidates = [
    candidate(1),
    candidate(2),
    candidate(3, { ready: false, idempotencyKey: 'request-3' }),
  ];
  const idOf = (wanted: { idempotencyKey?: string; dontDuplicate: boolean }) =>
    findReusableRegistration(candidates, { idempotencyKey: null, ...wanted })?.id;

  it('returns null when duplicates are allowed', () => {
    expect(idOf({ dontDuplicate: false })).toBeUndefined();
    expect(idOf({ dontDuplicate: false, idempotencyKey: 'another' })).toBeUndefined();
  });

  it('returns the newest confirmed registration when duplicates are not allowed', () => {
    expect(idOf({ dontDuplicate: true })).toBe(2);
  });

  it('returns a pending registration when none is confirmed', () => {
    const wanted = { idempotencyKey: null, dontDuplicate: true };
    expect(findReusableRegistration(candidates.slice(2), wanted)?.id).toBe(3);
    expect(findReusableRegistration([], wanted)).toBeNull();
  });

  it('returns the registration that the same request inserted, whether or not duplicates are allowed', () => {
    expect(idOf({ dontDuplicate: false, idempotencyKey: 'request-3' })).toBe(3);
    expect(idOf({ dontDuplicate: true, idempotencyKey: 'request-3' })).toBe(3);
  });
});
