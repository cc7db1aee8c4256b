import { describe, expect, it } from '@jest/globals';
import { type Candidate, existingRegistration } from './existing-registration.ts';

const candidate = (id: number, parts: Partial<Candidate> = {}): Candidate => ({
  id,
  registrationGuid: `registration-${id}`,
  ready: true,
  idempotencyKey: null,
  ...parts,
});

describe('what a create answers', () => {
  const candidates = [
    candidate(1),
    candidate(2),
    candidate(3, { ready: false, idempotencyKey: 'request-3' }),
  ];
  const idOf = (wanted: { idempotencyKey?: string; dontDuplicate: boolean }) =>
    existingRegistration(candidates, { idempotencyKey: null, ...wanted })?.id;

  it('is a new registration when duplicates are allowed', () => {
    expect(idOf({ dontDuplicate: false })).toBeUndefined();
    expect(idOf({ dontDuplicate: false, idempotencyKey: 'another' })).toBeUndefined();
  });

  it('is the newest confirmed one when they are not', () => {
    expect(idOf({ dontDuplicate: true })).toBe(2);
  });

  it('is one under way when none is confirmed', () => {
    const wanted = { idempotencyKey: null, dontDuplicate: true };
    expect(existingRegistration(candidates.slice(2), wanted)?.id).toBe(3);
    expect(existingRegistration([], wanted)).toBeNull();
  });

  it('is what the same request made before, in both cases', () => {
    expect(idOf({ dontDuplicate: false, idempotencyKey: 'request-3' })).toBe(3);
    expect(idOf({ dontDuplicate: true, idempotencyKey: 'request-3' })).toBe(3);
  });
});
