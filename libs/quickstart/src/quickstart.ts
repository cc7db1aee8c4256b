import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type BusClient } from '@registrar/bus';
import {
  appendPackagePiece,
  createCourse,
  createProviderApplication,
  createRealm,
  putApplication,
  resolveAccess,
} from '@registrar/contracts';
import { clock, runInRequestContext } from '@registrar/platform';
import { sampleCourseNames, buildSamplePackage } from '@registrar/sample-courses';
import * as z from 'zod';
import { retryWhileUnavailable } from './retry-while-unavailable.ts';

/** All that a newcomer needs to call a fresh installation; the content of `quickstart.json`. */
export const quickstart = z.object({
  /** The API with its root, such as `http://localhost:8080/api/v2`. */
  base_url: z.url(),
  realm_guid: z.string(),
  realm_secret_key: z.string(),
  sc_app_id: z.string(),
  sc_secret_key: z.string(),
  course_guid: z.string(),
  /** Our own course provider as the services call it. */
  provider_url: z.url(),
});
export type Quickstart = z.infer<typeof quickstart>;

const preparationTime = 60_000;
const pieceBytes = 512 * 1024;

/** The facts that an earlier start wrote to `file`, or null on the first start. */
export async function readQuickstart(file: string): Promise<Quickstart | null> {
  try {
    return quickstart.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new Error(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Keeps the facts of an earlier start true when the installation is found at other addresses now.
 */
export async function refreshQuickstart(
  bus: BusClient,
  facts: Quickstart,
  { baseUrl, providerUrl }: { baseUrl: string; providerUrl: string },
  file: string,
): Promise<Quickstart> {
  await bus.request(createProviderApplication, {
    realmGuid: facts.realm_guid,
    name: 'Demo',
    baseUrl: providerUrl,
    appId: facts.sc_app_id,
    secretKey: facts.sc_secret_key,
  });
  const refreshed = { ...facts, base_url: baseUrl, provider_url: providerUrl };
  await write(file, refreshed);
  return refreshed;
}

/**
 * Fills a fresh installation: an application at our own course provider, a demo realm that uses
 * it, and a sample course. Writes the facts to `file`, readable by its owner only.
 */
export async function prepareQuickstart(
  bus: BusClient,
  addresses: { baseUrl: string; providerUrl: string },
  file: string,
): Promise<Quickstart> {
  const operation = { requestId: randomUUID(), deadline: clock.now() + preparationTime };
  const facts = await runInRequestContext(operation, () => fill(bus, addresses));
  await write(file, facts);
  return facts;
}

async function write(file: string, facts: Quickstart): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const unfinished = `${file}.new`;
  await writeFile(unfinished, `${JSON.stringify(facts, null, 2)}\n`, { mode: 0o600 });
  await rename(unfinished, file);
}

async function fill(
  bus: BusClient,
  { baseUrl, providerUrl }: { baseUrl: string; providerUrl: string },
): Promise<Quickstart> {
  const request: BusClient['request'] = (contract, input) =>
    retryWhileUnavailable(() => bus.request(contract, input));
  // An interrupted start has left an application whose secret is lost.
  const appId = `demo-${randomBytes(4).toString('hex')}`;
  const secretKey = randomBytes(24).toString('base64url');
  const application = { appId, name: 'Demo', secretKey, registrationLimit: null };
  await request(putApplication, application);
  const { realmGuid, realmSecretKey } = await request(createRealm, { name: 'Demo' });
  const provided = { realmGuid, name: 'Demo', baseUrl: providerUrl, appId, secretKey };
  const { applicationId } = await request(createProviderApplication, provided);
  const credentials = { mode: 'realm', guid: realmGuid, secretKey: realmSecretKey } as const;
  const scope = await request(resolveAccess, { credentials });

  const [sample] = sampleCourseNames;
  const zip = await buildSamplePackage(sample);
  const [uploadId, attemptId] = [randomUUID(), randomUUID()];
  for (let index = 0; index * pieceBytes < zip.length; index += 1) {
    const piece = zip.subarray(index * pieceBytes, (index + 1) * pieceBytes);
    const bytes = piece.toString('base64');
    await request(appendPackagePiece, { scope, uploadId, attemptId, index, bytes });
  }
  const source = { kind: 'package', uploadId, courseGuid: sample } as const;
  const wanted = { scope, applicationId, source, title: null, custom: null };
  const course = await request(createCourse, wanted);
  return {
    base_url: baseUrl,
    realm_guid: realmGuid,
    realm_secret_key: realmSecretKey,
    sc_app_id: appId,
    sc_secret_key: secretKey,
    course_guid: course.course_guid,
    provider_url: providerUrl,
  };
}
