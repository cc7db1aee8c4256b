import { createClient, type RegistrarClient } from '@registrar/client';
import type { RunningSystem } from '@registrar/standalone/testing';

/** The client package with the realm pair of a system. */
export function realmClient({ quickstart }: RunningSystem): RegistrarClient {
  const { base_url: baseUrl, realm_guid, realm_secret_key } = quickstart;
  return createClient({ baseUrl, access: { realm_guid, realm_secret_key } });
}
