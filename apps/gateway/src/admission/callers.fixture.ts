import { type GatewayFixture, scope } from '../gateway.fixture.ts';

type Limits = Parameters<typeof scope>[0]['limits'];

/** Makes realms and users of a gateway that have used nothing yet. */
export function callersOf(gateway: () => GatewayFixture) {
  let realmId = 100;
  let userId = 0;
  return {
    /** The newest realm. */
    get realmId(): number {
      return realmId;
    },

    /** Credentials of a new realm: a key and the pairs. */
    newRealm: (limits: Limits = null) => {
      realmId += 1;
      const { scopes } = gateway().contexts;
      scopes.set(`key-${realmId}`, scope({ realmId, apiKeyId: realmId, wholeRealm: true, limits }));
      scopes.set(`realm-${realmId}:secret`, scope({ realmId, mode: 'realm', limits }));
      const provider = scope({ realmId, mode: 'provider', applicationIds: [realmId], limits });
      scopes.set(`app-${realmId}:secret`, provider);
      return {
        account: `realm ${realmId}`,
        providerPair: `sc_app_id=app-${realmId}&sc_secret_key=secret`,
        key: `api_key=key-${realmId}`,
        pair: `realm_guid=realm-${realmId}&realm_secret_key=secret`,
      };
    },

    /** Two keys of a new user of a new realm, or of one. */
    newUser: (limits: Limits, of = (realmId += 1)): string[] => {
      userId += 1;
      const user = { id: userId, email: `user-${userId}@example.com` };
      return ['first', 'second'].map((name, at) => {
        const key = `${name}-of-user-${userId}`;
        const apiKeyId = 10_000 + 2 * userId + at;
        gateway().contexts.scopes.set(key, scope({ realmId: of, apiKeyId, user, limits }));
        return `api_key=${key}`;
      });
    },
  };
}
