import type { BusClient } from '@registrar/bus';
import { createProviderApplication, putApplication } from '@registrar/contracts';
import { readSettings } from '@registrar/platform';
import { readQuickstart } from '@registrar/quickstart';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { operatorSettings } from './settings.ts';
import type { Terminal } from './terminal.ts';

/**
 * Where services call our own course provider: `PROVIDER_URL`; else what `npm start` has noted in
 * `DATA_DIR`, or the default port of this machine.
 */
export async function ownProviderUrl({ environment }: Terminal): Promise<string> {
  const { PROVIDER_URL, AMQP_URL, DATA_DIR } = readSettings(operatorSettings, environment);
  if (PROVIDER_URL) return PROVIDER_URL;
  const facts = AMQP_URL ? null : await readQuickstart(join(DATA_DIR, 'quickstart.json'));
  return facts?.provider_url ?? 'http://localhost:8090';
}

/** An account at our own course provider, with its secret key. */
export interface OwnApplication {
  readonly appId: string;
  readonly secretKey: string;
}

export const newSecretKey = (): string => randomBytes(32).toString('base64url');

/** Creates an account with a new id and secret key at our own course provider. */
export async function createOwnApplication(bus: BusClient, name: string): Promise<OwnApplication> {
  const appId = `app-${randomBytes(6).toString('hex')}`;
  const secretKey = newSecretKey();
  await bus.request(putApplication, { appId, name, secretKey, registrationLimit: null });
  return { appId, secretKey };
}

/** Adds the account to a realm, as `provider add` does with one elsewhere. Returns what is shown. */
export async function joinRealm(
  bus: BusClient,
  { appId, secretKey }: OwnApplication,
  to: { readonly realmGuid: string; readonly name: string; readonly baseUrl: string },
) {
  const account = { ...to, appId, secretKey };
  const { applicationId } = await bus.request(createProviderApplication, account);
  return {
    course_provider_id: applicationId,
    sc_app_id: appId,
    sc_secret_key: secretKey,
    url: to.baseUrl,
  };
}
