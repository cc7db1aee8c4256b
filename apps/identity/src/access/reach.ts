import { type AccessScope, accessScope, type EmailAddress, toTimestamp } from '#libs/contracts';

/** What credentials were found to stand for. */
export type Grant =
  | { readonly mode: 'realm' }
  | { readonly mode: 'provider'; readonly applicationId: number }
  | {
      readonly mode: 'api_key';
      /** The provider application that the key was made for, if not for the whole realm. */
      readonly applicationId: number | null;
      readonly user: { readonly id: number; readonly email: EmailAddress } | null;
      readonly expiresAt: Date;
    };

/** A realm as far as reach depends on it. */
export interface Realm {
  readonly id: number;
  readonly applicationIds: readonly number[];
}

/**
 * What a grant reaches (decision 14): a realm pair all of its realm, a provider pair its own
 * application, an api key what the pair reached that it was made from. A key that is bound to a
 * user reaches no other place, only less in it.
 */
export function reachOf(grant: Grant, realm: Realm): AccessScope {
  const bound = grant.mode === 'realm' ? null : grant.applicationId;
  const key = grant.mode === 'api_key' ? grant : null;
  return accessScope.parse({
    mode: grant.mode,
    realmId: realm.id,
    applicationIds: bound === null ? realm.applicationIds : [bound],
    wholeRealm: bound === null,
    user: key?.user ?? null,
    expiresAt: key && toTimestamp(key.expiresAt),
  });
}
