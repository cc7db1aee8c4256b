import { asOperator } from '@registrar/e2e/operator';
import { eventually } from '@registrar/testing';
import { addRealm } from '../system/add-realm.ts';
import { ApiAccess } from '../system/api-access.ts';
import type { Installation } from '../system/installation.ts';
import { startProgram } from '../system/start-program.ts';

/** The id of the provider application, and the GUID of its course. */
export const providerAppId = 'prompt-provider';

/** A realm whose course provider responds at once. */
export interface ProviderRealm {
  readonly access: ApiAccess;
  readonly applicationId: number;
  /** The process of the provider. */
  readonly provider: { readonly url: string; readonly pid: number };
  /** The headers with which the apps call the provider. */
  readonly headers: Readonly<Record<string, string>>;
}

const added = new WeakMap<Installation, Promise<ProviderRealm>>();

/** Adds a realm whose course provider responds at once, the first time. */
export function useProviderRealm(installation: Installation): Promise<ProviderRealm> {
  const realm = added.get(installation) ?? addProviderRealm(installation);
  added.set(installation, realm);
  return realm;
}

/** Adds a realm whose course provider responds at once to a system. */
export async function addProviderRealm({
  system,
  resources,
}: Pick<Installation, 'system' | 'resources'>): Promise<ProviderRealm> {
  const { ready, pid } = await startProgram(resources, 'baselines/provider', {
    PROVIDER_APP_ID: providerAppId,
  });
  const provider = { url: String(ready), pid };
  const secretKey = `secret of ${providerAppId}`;
  const { applicationId, pair } = await asOperator(system, (bus) =>
    addRealm(bus, providerAppId, { baseUrl: provider.url, secretKey }),
  );
  const access = await ApiAccess.create(system.quickstart, pair);
  await eventually('the first crawl has found the course', async () => {
    const response = await fetch(access.url('course.json'));
    return ((await response.json()) as unknown[]).length > 0;
  });
  const credentials = Buffer.from(`${providerAppId}:${secretKey}`).toString('base64');
  return {
    access,
    applicationId,
    provider,
    headers: { authorization: `Basic ${credentials}`, 'content-type': 'application/json' },
  };
}
