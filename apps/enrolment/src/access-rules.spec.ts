import { describe, expect, it } from 'vitest';
import { testScope } from '@registrar/testing';
import {
  applicationsForCreate,
  requireOwnLearner,
  reachedByApplication,
  reachedCounts,
  reachedCourses,
  reachedInvitations,
  reachedRegistrations,
  reachedStoredQueries,
  reportRules,
  reportViewSettings,
  requireInvitationCreate,
  requireInvitationIndex,
  requireRealmAccess,
  resultOwner,
  resultReach,
} from './access-rules.ts';

const scope = (email: string | null) =>
  testScope({
    applicationIds: [4, 5],
    user: email === null ? null : { id: 7, email },
  });
const unauthenticated: unknown = expect.objectContaining({ code: 'unauthenticated' });

describe('requireOwnLearner', () => {
  it('accepts any learner for a scope without a user', () => {
    expect(() => requireOwnLearner(scope(null), 'bob@example.org')).not.toThrow();
  });

  it('accepts only its own user for a user-bound key, in any case of the address', () => {
    const bound = scope('Ada@Example.org');
    expect(() => requireOwnLearner(bound, 'ada@example.ORG')).not.toThrow();
    expect(() => requireOwnLearner(bound, 'bob@example.org')).toThrow(unauthenticated);
  });
});

describe('access to invitations', () => {
  const licensing = (email: string | null, userLicenses = true) => ({
    ...scope(email),
    compatibility: { clients: 'bright', userLicenses } as const,
  });
  const own = { license: true, initiatingUser: 'ada@example.org' };

  it('access to invitations of any name, and to creates of any kind, is that to the realm', () => {
    expect(() => requireInvitationIndex(scope(null), {})).not.toThrow();
    const invitation = { license: false, initiatingUser: undefined };
    expect(() => requireInvitationCreate(scope(null), invitation)).not.toThrow();
  });

  it.each([
    ['a user-bound key', scope('ada@example.org')],
    ['a user-bound key of a realm that lets it create none', licensing('ada@example.org', false)],
    ['a provider application', { ...scope(null), wholeRealm: false }],
    [
      'a user-bound key of a provider application',
      { ...licensing('ada@example.org'), wholeRealm: false },
    ],
  ])('access to invitations is refused to %s', (_, refused) => {
    expect(() => requireInvitationIndex(refused, { name: 'spring' })).toThrow(unauthenticated);
    expect(() => requireInvitationCreate(refused, own)).toThrow(unauthenticated);
  });

  it('access to invitations is to one by its name for a user-bound key, if the realm lets it create licenses', () => {
    const bound = licensing('Ada@Example.org');
    expect(() => requireInvitationIndex(bound, { name: 'spring' })).not.toThrow();
    for (const filters of [{}, { name: undefined }, { name: '' }]) {
      expect(() => requireInvitationIndex(bound, filters)).toThrow(unauthenticated);
    }
  });

  it('access to invitations creates licenses alone for a user-bound key, which its own user initiates', () => {
    const bound = licensing('Ada@Example.org');
    expect(() => requireInvitationCreate(bound, own)).not.toThrow();
    for (const other of [
      { ...own, license: false },
      { ...own, initiatingUser: 'bob@example.org' },
      { ...own, initiatingUser: undefined },
    ]) {
      expect(() => requireInvitationCreate(bound, other)).toThrow(unauthenticated);
    }
  });
});

describe('applicationsForCreate', () => {
  it('returns the application that the request names, else all in reach', () => {
    const learnerId = 'ada@example.org';
    expect(applicationsForCreate(scope(null), { applicationId: null, learnerId })).toEqual([4, 5]);
    expect(applicationsForCreate(scope(null), { applicationId: 5, learnerId })).toEqual([5]);
  });

  it('says that the realm has no provider application', () => {
    const none = testScope({ applicationIds: [] });
    const request = { applicationId: null, learnerId: 'ada@example.org' };
    expect(() => applicationsForCreate(none, request)).toThrow(
      expect.objectContaining({
        code: 'not-found',
        message: 'the realm has no provider application',
      }),
    );
  });

  it('rejects an application out of reach', () => {
    const outside = { applicationId: 6, learnerId: 'ada@example.org' };
    expect(() => applicationsForCreate(scope(null), outside)).toThrow(unauthenticated);
  });

  it('rejects another learner for a user-bound key', () => {
    const bound = scope('Ada@Example.org');
    const requestFor = (learnerId: string) => ({ applicationId: 4, learnerId });
    expect(applicationsForCreate(bound, requestFor('ada@example.org'))).toEqual([4]);
    expect(() => applicationsForCreate(bound, requestFor('bob@example.org'))).toThrow(
      unauthenticated,
    );
  });
});

describe('reachedRegistrations', () => {
  const conditions = (email: string | null) =>
    reachedRegistrations(scope(email)).map(({ text, values }) => [text, values]);
  const inApplications = ['r.provider_application_id = ANY($1)', [[4, 5]]];

  it('limits rows to the provider applications of the scope', () => {
    expect(conditions(null)).toEqual([inApplications]);
  });

  it('compares a single provider application alone, for which PostgreSQL plans better', () => {
    const one = reachedRegistrations(testScope({ applicationIds: [4] }));
    expect(one.map(({ text, values }) => [text, values])).toEqual([
      ['r.provider_application_id = $1', [4]],
    ]);
  });

  it('limits rows to the learner for a user-bound key', () => {
    expect(conditions('ada@example.org')).toEqual([
      inApplications,
      ['lower(r.learner_id) = lower($1)', ['ada@example.org']],
    ]);
  });
});

describe('reachedByApplication', () => {
  const reach = (email: string | null) => {
    const { applications, conditions } = reachedByApplication(scope(email));
    return [applications, ...conditions].map(({ text, values }) => [text, values]);
  };
  const applications = ['unnest($1::bigint[]) AS a (application)', [[4, 5]]];
  const ofApplication = ['r.provider_application_id = ANY(ARRAY[a.application])', []];

  it('reachedByApplication limits rows to the provider applications of the scope, one by one', () => {
    expect(reach(null)).toEqual([applications, ofApplication]);
  });

  it('reachedByApplication limits rows to the learner for a user-bound key', () => {
    const ofUser = ['lower(r.learner_id) = lower($1)', ['ada@example.org']];
    expect(reach('ada@example.org')).toEqual([applications, ofApplication, ofUser]);
  });
});

describe('requireRealmAccess', () => {
  it('accepts a scope of the whole realm', () => {
    expect(() => requireRealmAccess(scope(null))).not.toThrow();
  });

  it('rejects a user-bound key and the access of a provider application', () => {
    expect(() => requireRealmAccess(scope('ada@example.org'))).toThrow(unauthenticated);
    const ofApplication = { ...scope(null), wholeRealm: false };
    expect(() => requireRealmAccess(ofApplication)).toThrow(unauthenticated);
  });
});

describe('reachedCourses, reachedCounts and reachedInvitations', () => {
  it('reachedCounts limits rows to the provider applications of the scope', () => {
    const { text, values } = reachedCounts(scope(null));
    expect([text, values]).toEqual(['n.provider_application_id = ANY($1)', [[4, 5]]]);
  });

  it('reachedCourses limits rows to the provider applications of the scope', () => {
    const { text, values } = reachedCourses(scope(null));
    expect([text, values]).toEqual(['c.provider_application_id = ANY($1)', [[4, 5]]]);
  });

  it('reachedInvitations limits rows to the realm of the scope', () => {
    const { text, values } = reachedInvitations(scope(null));
    expect([text, values]).toEqual(['i.realm_id = $1', [1]]);
  });
});

describe('reachedStoredQueries', () => {
  it('limits the queries of operators to the realm and the provider applications', () => {
    const { text, values } = reachedStoredQueries(scope(null));
    expect(text.replaceAll(/\s+/g, ' ')).toBe(
      `( q.query_scope = 'bright' OR q.realm_id = $1 ` +
        `AND (q.query_scope = 'realm' OR q.provider_application_id = ANY($2)) )`,
    );
    expect(values).toEqual([1, [4, 5]]);
  });
});

describe('reportViewSettings', () => {
  it('reportViewSettings name the provider applications, and the realm for realm access', () => {
    expect(reportViewSettings(scope(null))).toEqual({
      'registrar.applications': '{4,5}',
      'registrar.user': '',
      'registrar.realm': '1',
    });
  });

  it('reportViewSettings name the user of a user-bound key, and no realm', () => {
    expect(reportViewSettings(scope('ada@example.org'))).toEqual({
      'registrar.applications': '{4,5}',
      'registrar.user': 'ada@example.org',
      'registrar.realm': '',
    });
  });

  it('reportViewSettings name the realm too for a user-bound key of a whole realm that serves the clients of Bright', () => {
    const compatibility = { clients: 'bright', userLicenses: false } as const;
    const bound = { ...scope('ada@example.org'), compatibility };
    expect(reportViewSettings(bound)).toMatchObject({
      'registrar.user': 'ada@example.org',
      'registrar.realm': '1',
    });
    const ofApplication = { ...bound, wholeRealm: false };
    expect(reportViewSettings(ofApplication)).toMatchObject({ 'registrar.realm': '' });
    expect(resultReach(bound)).not.toBe(resultReach(scope('ada@example.org')));
  });

  it('reportViewSettings name no realm for the access of a provider application', () => {
    const ofApplication = { ...scope(null), wholeRealm: false };
    expect(reportViewSettings(ofApplication)).toMatchObject({ 'registrar.realm': '' });
  });

  it('reportViewSettings are empty without a scope', () => {
    expect(Object.values(reportViewSettings(null))).toEqual(['', '', '']);
  });
});

describe('reportRules', () => {
  // The views of a database are those of its migrations, so that no suite of views sees a change here.
  it('reportRules take the reach from the settings of the transaction', () => {
    const applications = `nullif(current_setting('registrar.applications', true), '')::bigint[]`;
    const user = `nullif(current_setting('registrar.user', true), '')`;
    const ofApplication = `r.provider_application_id = ANY(${applications})`;
    const texts = Object.entries(reportRules).map(([name, { text }]) => [
      name,
      text.replaceAll(/\s+/g, ' '),
    ]);
    const isOwn = (learner: string) => `(${user} IS NULL OR lower(${learner}) = lower(${user}))`;
    expect(Object.fromEntries(texts)).toEqual({
      registrationsOfApplications: `${user} IS NULL AND ${ofApplication}`,
      registrationsOfUser: `${ofApplication} AND lower(r.learner_id) = lower(${user})`,
      courses: `c.provider_application_id = ANY(${applications})`,
      invitations:
        `i.realm_id = nullif(current_setting('registrar.realm', true), '')::bigint AND ( ` +
        `${user} IS NULL ` +
        `OR lower(json_or_null(i.custom) ->> 'initiating_user') = lower(${user}) ` +
        `OR EXISTS ( SELECT FROM invitation_learners AS own ` +
        `WHERE own.invitation_id = i.id AND lower(own.learner_id) = lower(${user}) ) )`,
      invitationLearners: isOwn('l.learner_id'),
      invitationRegistrations: isOwn('r.learner_id'),
    });
  });
});

describe('resultOwner', () => {
  it.each([
    ['the user of a user-bound key', { user: { id: 7, email: 'ada@example.org' } }, 'user 7'],
    ['the API key', {}, 'key 3'],
    ['the provider application of its pair', { mode: 'provider' as const }, 'application 4,5'],
    ['nobody for the realm pair', { mode: 'realm' as const }, null],
  ])('resultOwner is %s', (_, parts, owner) => {
    expect(resultOwner(testScope({ applicationIds: [4, 5], apiKeyId: 3, ...parts }))).toBe(owner);
  });
});

describe('resultReach', () => {
  it('resultReach differs for two users', () => {
    const ofUser = (id: number) =>
      resultReach(testScope({ applicationIds: [4, 5], user: { id, email: 'ada@example.org' } }));
    expect(ofUser(7)).not.toBe(ofUser(8));
    expect(ofUser(7)).not.toBe(resultReach(scope(null)));
  });

  it('resultReach is equal for scopes of the same reach, in any order of the provider applications', () => {
    const reordered = { ...scope(null), applicationIds: [5, 4] };
    expect(resultReach(reordered)).toBe(resultReach(scope(null)));
  });

  it.each([{ realmId: 2 }, { applicationIds: [4] }, { wholeRealm: false }])(
    'differs for a scope with %j',
    (parts) => {
      expect(resultReach({ ...scope(null), ...parts })).not.toBe(resultReach(scope(null)));
    },
  );

  it('differs for a user-bound key', () => {
    expect(resultReach(scope('ada@example.org'))).not.toBe(resultReach(scope(null)));
  });
});
