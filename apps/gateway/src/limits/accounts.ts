import type { AccessScope } from '@registrar/contracts';

/** The names under which gateways tell each other the demand of clients (identity.report-demand). */
export const accountOf = {
  realm: ({ realmId }: Pick<AccessScope, 'realmId'>) => `realm ${realmId}`,
  /** That of an API key or a provider pair; null for a realm pair, which has its realm's alone. */
  key: ({ apiKeyId, mode, applicationIds }: AccessScope) => {
    if (apiKeyId !== null) return `key ${apiKeyId}`;
    return mode === 'provider' ? `application ${applicationIds[0]}` : null;
  },
  address: (network: string) => `address ${network}`,
};
