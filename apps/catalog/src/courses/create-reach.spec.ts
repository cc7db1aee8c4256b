import { describe, expect, it } from '@jest/globals';
import { scopeOf } from '../catalog.fixture.ts';
import { applicationForCreate } from './create-reach.ts';

describe('the provider application of a course create', () => {
  const refusal = (code: string): unknown => expect.objectContaining({ code });

  it('is the one that the request names, within its reach', () => {
    expect(applicationForCreate(scopeOf({ applicationIds: [1, 2] }), 2)).toBe(2);
    expect(() => applicationForCreate(scopeOf({ applicationIds: [1, 2] }), 3)).toThrow(
      refusal('unauthenticated'),
    );
  });

  it('is the only one in reach when the request names none', () => {
    expect(applicationForCreate(scopeOf({ applicationIds: [2] }), null)).toBe(2);
    for (const applicationIds of [[], [1, 2]]) {
      expect(() => applicationForCreate(scopeOf({ applicationIds }), null)).toThrow(
        refusal('not-found'),
      );
    }
  });

  it('is none for an api key that is bound to a user', () => {
    const scope = scopeOf({ applicationIds: [2], email: 'learner@example.com' });
    expect(() => applicationForCreate(scope, 2)).toThrow(refusal('unauthenticated'));
  });
});
