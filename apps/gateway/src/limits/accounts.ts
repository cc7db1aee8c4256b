import type { AccessScope } from '@registrar/contracts';

/** The names under which gateways tell each other the demand of clients (identity.report-demand). */
export const accountOf = {
  realm: ({ realmId }: Pick<AccessScope, 'realmId'>) => `realm ${realmId}`,
  key: (apiKeyId: number) => `key ${apiKeyId}`,
  address: (network: string) => `address ${network}`,
};
