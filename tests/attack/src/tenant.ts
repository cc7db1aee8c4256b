import { createProviderApplication, createRealm, putApplication } from '@registrar/contracts';
import { asOperator } from '@registrar/e2e/operator';
import { buildSamplePackage, sampleCourseNames } from '@registrar/sample-courses';
import { randomBytes } from 'node:crypto';
import { HttpClient } from './http-client.ts';
import type { Target } from './target.ts';

/** A realm with one provider application and one course. */
export interface Tenant {
  readonly realmId: number;
  readonly realmGuid: string;
  readonly applicationId: number;
  /** The access parameters of the realm pair. */
  readonly pair: { readonly realm_guid: string; readonly realm_secret_key: string };
  /** The access parameters of the provider pair. */
  readonly providerPair: { readonly sc_app_id: string; readonly sc_secret_key: string };
  readonly courseGuid: string;
}

/** Creates a realm as the operator does, and imports a course into it as a client does. */
export async function createTenant(target: Target, name: string): Promise<Tenant> {
  const account = {
    appId: `${name}-${randomBytes(4).toString('hex')}`,
    name,
    secretKey: randomBytes(24).toString('base64url'),
  };
  const realm = await asOperator(target, async (bus) => {
    await bus.request(putApplication, { ...account, registrationLimit: null });
    const created = await bus.request(createRealm, { name });
    const { realmGuid } = created;
    const { applicationId } = await bus.request(createProviderApplication, {
      realmGuid,
      ...account,
      baseUrl: target.providerUrl,
    });
    return { ...created, applicationId };
  });
  const { realmId, realmGuid, realmSecretKey, applicationId } = realm;
  target.secrets.add(realmSecretKey, account.secretKey);
  const tenant: Tenant = {
    realmId,
    realmGuid,
    applicationId,
    pair: { realm_guid: realmGuid, realm_secret_key: realmSecretKey },
    providerPair: { sc_app_id: account.appId, sc_secret_key: account.secretKey },
    courseGuid: `course-of-${name}`,
  };
  const client = new HttpClient(target, '127.0.0.1');
  const { status } = await client.call('/course.json', {
    body: courseUpload(tenant, tenant.courseGuid, await samplePackage()),
  });
  client.close();
  if (status !== 201) throw new Error(`course create of ${name} returned ${status}`);
  return tenant;
}

/** The form of a course create. */
export function courseUpload({ pair }: Tenant, courseGuid: string, zip: Uint8Array): FormData {
  const body = new FormData();
  for (const [name, value] of Object.entries({ ...pair, course_guid: courseGuid })) {
    body.set(name, value);
  }
  body.set('file', new Blob([Uint8Array.from(zip)], { type: 'application/zip' }), 'course.zip');
  return body;
}

/** The package of a sample course. */
export const samplePackage = (): Promise<Buffer> => buildSamplePackage(sampleCourseNames[0]);
