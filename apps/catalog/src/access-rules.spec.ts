import { describe, expect, it } from 'vitest';
import {
  applicationForCreate,
  reachedCourses,
  reachedTemplates,
  requireCourseWriter,
  requireTemplateReader,
  requireRealmAccess,
} from './access-rules.ts';
import { scopeOf } from './catalog.fixture.ts';

const failure = (code: string): unknown => expect.objectContaining({ code });

const realm = scopeOf();
const provider = scopeOf({ applicationIds: [2] });
const learner = scopeOf({ email: 'learner@example.com' });

describe('the provider application of a course create', () => {
  it('the provider application of a course create is the requested one if the scope reaches it', () => {
    expect(applicationForCreate(realm, 2)).toBe(2);
    expect(() => applicationForCreate(realm, 3)).toThrow(failure('unauthenticated'));
  });

  it('the provider application of a course create is the only one that the scope reaches if the request names none', () => {
    expect(applicationForCreate(provider, null)).toBe(2);
    for (const applicationIds of [[], [1, 2]]) {
      expect(() => applicationForCreate(scopeOf({ applicationIds }), null)).toThrow(
        failure('not-found'),
      );
    }
  });

  it('the provider application of a course create is missing from a realm without one, and the reason says so', () => {
    expect(() => applicationForCreate(scopeOf({ applicationIds: [] }), null)).toThrow(
      'the realm has no provider application',
    );
  });

  it('the provider application of a course create is refused for a user-bound key', () => {
    expect(() => applicationForCreate(learner, 2)).toThrow(failure('unauthenticated'));
  });
});

describe('what a scope reaches', () => {
  it('a scope reaches the courses of its provider applications, and so does a user-bound key', () => {
    const { text, values } = reachedCourses(provider);
    expect(text).toBe('c.provider_application_id = ANY($1)');
    expect(values).toEqual([[2]]);
    expect(reachedCourses(learner).values).toEqual([learner.applicationIds]);
  });

  it('a scope reaches the templates of its realm', () => {
    const { text, values } = reachedTemplates(realm);
    expect(text).toBe('t.realm_id = $1');
    expect(values).toEqual([realm.realmId]);
  });
});

describe('writing courses', () => {
  it('writing courses is allowed for a realm and for a provider application, and refused for a user-bound key', () => {
    expect(() => requireCourseWriter(realm)).not.toThrow();
    expect(() => requireCourseWriter(provider)).not.toThrow();
    expect(() => requireCourseWriter(learner)).toThrow(failure('unauthenticated'));
  });
});

describe('templates', () => {
  it('templates are readable with access to the whole realm, user-bound keys included', () => {
    expect(() => requireTemplateReader(realm)).not.toThrow();
    expect(() => requireTemplateReader(learner)).not.toThrow();
    expect(() => requireTemplateReader(provider)).toThrow(failure('unauthenticated'));
  });

  it('templates are writable, and courses deletable, with access to the whole realm, but not with a user-bound key', () => {
    expect(() => requireRealmAccess(realm)).not.toThrow();
    expect(() => requireRealmAccess(learner)).toThrow(failure('unauthenticated'));
    expect(() => requireRealmAccess(provider)).toThrow(failure('unauthenticated'));
  });
});
