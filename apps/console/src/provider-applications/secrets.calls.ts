import type { BusClient } from '@registrar/bus';
import {
  createProviderApplication,
  Failure,
  id,
  overlapSeconds,
  requireApplication,
  rotateApplicationSecret,
  testProvider,
} from '@registrar/contracts';
import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { installationCall, realmCall } from '../calls/define-call.ts';
import { findApplication } from './applications.calls.ts';

const { secretKey } = createProviderApplication.input.shape;

/** Calls the provider of an application with the stored secret key, and tells what was found. */
export const testApplication = realmCall({
  role: 'administrator',
  changes: true,
  input: z.object({ application: id }),
  handle: async ({ bus, scope }, { application }) => {
    requireApplication(scope, application);
    return bus.request(testProvider, { application, secretKey: null });
  },
});

/**
 * Stores another secret key, which the provider has given to the application. Clients may use the replaced one during the
 * overlap.
 */
export const replaceSecret = realmCall({
  role: 'administrator',
  changes: true,
  input: z.object({
    application: id,
    secretKey,
    overlapSeconds,
    /** Whether the provider has to accept the secret key before it is stored. */
    test: z.boolean(),
  }),
  handle: async ({ bus, scope }, { realm, application, test, ...given }) => {
    requireApplication(scope, application);
    const kept = await findApplication(bus, realm, application);
    if (test) await requireAcceptance(bus, application, given.secretKey);
    const { name, url: baseUrl, sc_app_id: appId } = kept;
    const wanted = { realmGuid: realm, name, baseUrl, appId, ...given };
    await bus.request(createProviderApplication, wanted);
    return {};
  },
});

/** @throws {Failure} `refused-by-provider`, `unavailable` */
async function requireAcceptance(
  bus: BusClient,
  application: number,
  given: string,
): Promise<void> {
  const found = await bus.request(testProvider, { application, secretKey: given });
  if (found.fault === null) return;
  const code = found.credentials_accepted === false ? 'invalid' : 'unavailable';
  throw new Failure(code, `${found.fault}. Nothing was stored.`);
}

/**
 * Gives an application at Registrar's own course provider a new secret key, and stores it. Both parties accept the
 * replaced one during the overlap.
 *
 * The reply has the secret key in any case, because the provider has it: `fault` says why it is not stored, and null that
 * it is.
 */
export const rotateOwnSecret = installationCall({
  changes: true,
  input: z.object({ application: id, overlapSeconds }),
  handle: async ({ bus }, { application, overlapSeconds: overlap }) => {
    const kept = await findApplication(bus, null, application);
    const { name, url: baseUrl, sc_app_id: appId, realm_guid: realmGuid } = kept;
    const made = randomBytes(32).toString('base64url');
    const replacement = { appId, secretKey: made, overlapSeconds: overlap };
    // The provider first: from now on it accepts both.
    await bus.request(rotateApplicationSecret, replacement);
    const stored = { realmGuid, name, baseUrl, ...replacement };
    const fault = await bus.request(createProviderApplication, stored).then(
      () => null,
      (error: unknown) => Failure.from(error).message,
    );
    return { secretKey: made, fault };
  },
});
