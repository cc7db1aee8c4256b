import type { BusClient } from '@registrar/bus';
import { createProviderApplication, createRealm } from '@registrar/contracts';

/** A new realm with a provider application. */
export interface AddedRealm {
  readonly applicationId: number;
  /** The access parameters of the realm pair. */
  readonly pair: { readonly realm_guid: string; readonly realm_secret_key: string };
}

/**
 * Creates a realm with a provider application.
 *
 * @param name also the id of the provider application
 * @param provider where it is; by default there is none
 */
export async function addRealm(
  bus: BusClient,
  name: string,
  { baseUrl = 'http://localhost:9', secretKey = 'unused' } = {},
): Promise<AddedRealm> {
  const { realmGuid, realmSecretKey } = await bus.request(createRealm, { name });
  const application = { realmGuid, name, baseUrl, appId: name, secretKey };
  const { applicationId } = await bus.request(createProviderApplication, application);
  return { applicationId, pair: { realm_guid: realmGuid, realm_secret_key: realmSecretKey } };
}
