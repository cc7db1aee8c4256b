import { Client, fetchLaunch, type Parameters, recordOf, textOf } from '@registrar/conformance';
import type { BusClient } from '@registrar/bus';
import {
  changeRealmLimits,
  createProviderApplication,
  createRealm,
  putApplication,
  putStoredQuery,
} from '@registrar/contracts';
import { buildSamplePackage, sampleCourseNames } from '@registrar/sample-courses';
import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { Target } from '../target.ts';

/** The kinds of items that requests name. */
export type ItemKind =
  | 'course'
  | 'registration'
  | 'invitation'
  | 'realm user'
  | 'template'
  | 'query'
  | 'key'
  | 'learner';

/** The ways in which a request of the API can identify its caller. */
export type RealmAccess =
  | 'realm pair'
  | 'provider pair'
  | 'key of the realm'
  | 'key that may only read'
  | 'key of the provider pair'
  | 'key of a user'
  | 'key of a user in an application'
  | 'revoked key';

/** Where a course window is, and the activity that it opens. */
export interface CourseWindow {
  readonly host: string;
  readonly token: string;
  /** The parts of the path of the course's files. */
  readonly contentRegistration: string;
  readonly contentKey: string;
  readonly activity: string;
}

/** A realm with an application, items of every kind and every kind of access. */
export interface FuzzRealm {
  readonly access: Readonly<Record<RealmAccess, Parameters>>;
  readonly applicationId: string;
  /** The `Authorization` of the application at the course provider. */
  readonly basic: string;
  /** An open course window. Requests end it, so that it is opened again from time to time. */
  window: CourseWindow;
  openWindow(): Promise<CourseWindow>;
  /** Launch URLs that have not been opened, and import jobs. */
  readonly launchUrls: string[];
  readonly jobs: string[];
  /** Names and ids of its items, of which several stay until the end. */
  readonly items: Readonly<Record<ItemKind, string[]>>;
  /** Items that requests created, which other requests may delete. */
  readonly spares: Readonly<Record<ItemKind, string[]>>;
  /** The unbound keys that requests created, which other requests may end. */
  readonly spareKeys: string[];
  /** A text that all items of the realm contain and that no request sends. */
  readonly marker: string;
}

/** More than the fuzzer sends, as an operator would set it for a test of load. */
const limits = { requestsPerSecond: 10_000, requestsPerSecondOfKey: 10_000, requestsInHand: 64 };

/** Only the operator creates stored queries; requests delete them. */
const spareQueries = 10;

const courseDescription = z.looseObject({ start: z.string().nullish(), content: z.string() });
const noItems = (): Record<ItemKind, string[]> => ({
  course: [],
  registration: [],
  invitation: [],
  'realm user': [],
  template: [],
  query: [],
  key: [],
  learner: [],
});

/** Creates a realm as an operator and a client do. */
export async function createFuzzRealm(
  target: Target,
  bus: BusClient,
  name: string,
): Promise<FuzzRealm> {
  const run = randomBytes(4).toString('hex');
  const marker = `marker-${name}-${run}`;
  const api = new Client(target.baseUrls[0] ?? '');
  const { realmId, realmGuid, realmSecretKey } = await bus.request(createRealm, {
    name: `${name} ${run}`,
  });
  await bus.request(changeRealmLimits, { realmGuid, changes: limits, fromDefaults: false });
  const account = {
    appId: `fuzz-${name}-${run}`,
    name: marker,
    secretKey: randomBytes(24).toString('base64url'),
  };
  await bus.request(putApplication, { ...account, registrationLimit: null });
  const { applicationId } = await bus.request(createProviderApplication, {
    realmGuid,
    ...account,
    baseUrl: target.providerUrl,
  });
  const basic = Buffer.from(`${account.appId}:${account.secretKey}`).toString('base64');
  target.secrets.add(realmSecretKey, account.secretKey, basic);
  const realmPair = { realm_guid: realmGuid, realm_secret_key: realmSecretKey };
  const pair = { sc_app_id: account.appId, sc_secret_key: account.secretKey };
  const post = async (path: string, parameters: Parameters, status = 201) =>
    recordOf(await api.post(`${path}.json`, { ...realmPair, ...parameters }), status);
  const items = noItems();
  for (const word of ['first', 'second']) {
    const course_guid = `${name}-${word}-${run}`;
    const file = await buildSamplePackage(sampleCourseNames[0]);
    const parameters = { ...pair, course_guid, title: `Title ${marker}`, custom: `"${marker}"` };
    recordOf(await api.postMultipart('/course.json', parameters, file), 201);
    items.course.push(course_guid);
  }
  const [course_guid = ''] = items.course;
  const learners = ['one', 'two'].map((word) => `${word}-${run}@example.com`);
  items.learner.push(...learners);
  for (const learner_id of [...learners, `three-${run}@example.com`]) {
    const registration = { course_guid, learner_id, fname: 'Robin', lname: marker };
    items.registration.push(textOf(await post('/registration', registration), 'registration_guid'));
  }
  for (const word of ['spring', 'autumn']) {
    const invitation = {
      name: `${word}-${run}`,
      description: marker,
      course_guids: JSON.stringify([course_guid]),
      ...(word === 'spring' && {
        license: 't',
        license_data: JSON.stringify({ [course_guid]: { seats_available: 1_000 } }),
      }),
    };
    const created = await post('/invitation', invitation);
    items.invitation.push(`${word}-${run}`, String(created['id']));
  }
  const template = await post('/template', { name: `template-${run}`, body: marker });
  items.template.push(`template-${run}`, String(template['id']));
  const user = await post('/realm_user', {
    email: `user-${run}@example.com`,
    custom: `{"mark":"${marker}"}`,
  });
  items['realm user'].push(`user-${run}@example.com`, String(user['id']));
  const query = {
    name: `query_${run}`,
    realmId,
    applicationId: null,
    sql: `SELECT registration_guid, learner_id, course_guid, '${marker}' AS mark FROM registrations
            WHERE course_guid = :course_guid OR :course_guid IS NULL`,
  };
  const stored = await bus.request(putStoredQuery, query);
  items.query.push(query.name, String(stored.id));
  const spares = noItems();
  for (let at = 0; at < spareQueries; at += 1) {
    await bus.request(putStoredQuery, { ...query, name: `spare_${run}_${at}` });
    spares.query.push(`spare_${run}_${at}`);
  }
  const key = async (parameters: Parameters) => {
    const answer = recordOf(await api.post('/api_key.json', parameters), 201);
    const token = textOf(answer, 'access_token');
    target.secrets.add(token);
    return { id: String(answer['id']), access: { api_key: token } };
  };
  const [user_email = ''] = learners;
  const revoked = await key(realmPair);
  const realmKey = await key(realmPair);
  items.key.push(revoked.id);
  await api.send('DELETE', `/api_key/${revoked.id}.json`, { query: realmPair });
  const open = () => openWindow(api, realmPair, items.registration[0] ?? '');
  return {
    access: {
      'realm pair': realmPair,
      'provider pair': pair,
      'key of the realm': realmKey.access,
      'key that may only read': (await key({ ...realmPair, permissions: 'read' })).access,
      'key of the provider pair': (await key(pair)).access,
      'key of a user': (await key({ ...realmPair, user_email })).access,
      'key of a user in an application': (await key({ ...pair, user_email })).access,
      'revoked key': revoked.access,
    },
    applicationId: String(applicationId),
    basic: `Basic ${basic}`,
    window: await open(),
    openWindow: open,
    launchUrls: [],
    jobs: [],
    items,
    spares,
    spareKeys: [],
    marker,
  };
}

/** Launches a registration as a learner's browser does. */
async function openWindow(
  api: Client,
  access: Parameters,
  registration: string,
): Promise<CourseWindow> {
  const launched = await api.get(`/registration/${registration}/launch_url.json`, access);
  const url = textOf(recordOf(launched, 200), 'launch_url');
  const opened = await fetchLaunch(url, { redirect: 'manual' });
  const window = new URL(opened.headers.get('location') ?? '', url);
  const described = await fetchLaunch(new URL('course', window).href);
  const { start, content } = courseDescription.parse(await described.json());
  const [contentKey = '', contentRegistration = ''] = content.split('/').slice(0, -1).reverse();
  return {
    host: window.host,
    token: window.pathname.split('/').at(-2) ?? '',
    activity: start ?? '',
    contentRegistration,
    contentKey,
  };
}
