import { describe, expect, it } from '@jest/globals';
import { emailAddress } from '#libs/contracts';
import { type Grant, reachOf } from './reach.ts';

const realm = { id: 7, applicationIds: [4, 5] };
const user = { id: 3, email: emailAddress.parse('learner@example.com') };
const expiresAt = new Date('2030-01-02T03:04:05.678Z');
const ends = '2030-01-02T03:04:05Z';
const all = { applicationIds: [4, 5], wholeRealm: true };
const one = { applicationIds: [5], wholeRealm: false };
const pair = { user: null, expiresAt: null };

describe('the reach of an access mode', () => {
  it.each<[string, Grant, object]>([
    ['a realm pair is all of the realm', { mode: 'realm' }, { ...all, ...pair }],
    [
      'a provider pair is that application only',
      { mode: 'provider', applicationId: 5 },
      { ...one, ...pair },
    ],
    [
      'a key made from a realm pair is all of the realm',
      { mode: 'api_key', applicationId: null, user: null, expiresAt },
      { ...all, user: null, expiresAt: ends },
    ],
    [
      'a key made for an application is that application only',
      { mode: 'api_key', applicationId: 5, user: null, expiresAt },
      { ...one, user: null, expiresAt: ends },
    ],
    [
      'a key bound to a user is cut down to that user, in the realm',
      { mode: 'api_key', applicationId: null, user, expiresAt },
      { ...all, user, expiresAt: ends },
    ],
    [
      'a key bound to a user and an application is cut down to both',
      { mode: 'api_key', applicationId: 5, user, expiresAt },
      { ...one, user, expiresAt: ends },
    ],
  ])('of %s', (_, grant, reach) => {
    expect(reachOf(grant, realm)).toEqual({ mode: grant.mode, realmId: 7, ...reach });
  });

  it('of a realm without applications is no data', () => {
    expect(reachOf({ mode: 'realm' }, { id: 7, applicationIds: [] }).applicationIds).toEqual([]);
  });
});
