import type { BusClient } from '@registrar/bus';
import {
  createProviderApplication,
  findProviderCredentials,
  listProviderApplicationSummaries,
} from '@registrar/contracts';
import { type Logger, providerSecretPurpose, type Sealing } from '@registrar/platform';

/**
 * Stores the new address of our own course provider in every provider application that has the old
 * one, after `npm start` with another PROVIDER_PORT.
 */
export async function moveOwnApplications(
  bus: BusClient,
  move: { readonly from: string; readonly to: string },
  sealing: Sealing,
  log: Logger,
): Promise<void> {
  if (move.from === move.to) return;
  for await (const { items: page } of bus.pages(listProviderApplicationSummaries, {
    realmGuid: null,
  })) {
    for (const { id, realm_guid: realmGuid, name, sc_app_id: appId, url } of page) {
      if (url !== move.from) continue;
      const { sealedSecretKey } = await bus.request(findProviderCredentials, { applicationId: id });
      const secretKey = sealing.tryOpen(sealedSecretKey, providerSecretPurpose(appId));
      if (secretKey === null) {
        log.warn(
          { application: id },
          'no master key opens the secret key of a provider application',
        );
        continue;
      }
      const moved = { realmGuid, name, baseUrl: move.to, appId, secretKey };
      await bus.request(createProviderApplication, moved);
    }
  }
}
