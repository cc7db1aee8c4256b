import type { AccessScope } from '@registrar/contracts';
import type { Holder } from './places.ts';

/** The part of an access that says whose it is. */
export type HoldingScope = Pick<
  AccessScope,
  'realmId' | 'user' | 'apiKeyId' | 'mode' | 'applicationIds'
>;

/** The names of those who have limits, in the log and in buckets. */
export const accountOf = {
  realm: ({ realmId }: Pick<AccessScope, 'realmId'>) => `realm ${realmId}`,
  /**
   * That of an API key, a provider pair, or a user with all keys that are bound to them; null for a
   * realm pair, which has its realm's alone.
   */
  key: ({ realmId, user, apiKeyId, mode, applicationIds }: HoldingScope) => {
    if (user !== null) return `user ${user.id} of realm ${realmId}`;
    if (apiKeyId !== null) return `key ${apiKeyId}`;
    return mode === 'provider' ? `application ${applicationIds[0]}` : null;
  },
};

/** A user's part of their realm in relation to that of a key or pair that serves all users. */
const userWeight = 1 / 8;

/** Who holds what an access takes: those that serve a whole realm go before its users. */
export const holderOf = (scope: HoldingScope): Holder & { readonly keyWeight: number } => ({
  realmId: scope.realmId,
  key: accountOf.key(scope) ?? accountOf.realm(scope),
  keyWeight: scope.user === null ? 1 : userWeight,
});
