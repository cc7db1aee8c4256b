import { describe, expect, it } from '@jest/globals';
import { accessScope } from '#libs/contracts';
import { applicationsForCreate } from './create-reach.ts';

const scope = (email: string | null) =>
  accessScope.parse({
    realmId: 1,
    applicationIds: [4, 5],
    wholeRealm: true,
    user: email && { id: 7, email },
    expiresAt: null,
  });

describe('where a create may look for its course', () => {
  it('is the application that the request names, or all within reach', () => {
    const learnerId = 'ada@example.org';
    expect(applicationsForCreate(scope(null), { applicationId: null, learnerId })).toEqual([4, 5]);
    expect(applicationsForCreate(scope(null), { applicationId: 5, learnerId })).toEqual([5]);
  });

  it('is nowhere for an application out of reach', () => {
    const outside = { applicationId: 6, learnerId: 'ada@example.org' };
    expect(() => applicationsForCreate(scope(null), outside)).toThrow(
      expect.objectContaining({ code: 'unauthenticated' }),
    );
  });

  it('is for the own learner only, in whatever case', () => {
    const bound = scope('Ada@Example.org');
    const wanted = (learnerId: string) => ({ applicationId: 4, learnerId });
    expect(applicationsForCreate(bound, wanted('ada@example.org'))).toEqual([4]);
    expect(() => applicationsForCreate(bound, wanted('bob@example.org'))).toThrow(
      expect.objectContaining({ code: 'unauthenticated' }),
    );
  });
});
