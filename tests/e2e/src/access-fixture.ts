import { randomBytes } from 'node:crypto';
import type { BusClient } from '@registrar/bus';
import {
  changeRealmLimits,
  createProviderApplication,
  createRealm,
  putApplication,
  putStoredQuery,
} from '@registrar/contracts';
import { sampleCourseNames, buildSamplePackage } from '@registrar/sample-courses';
import type { RunningSystem } from '@registrar/standalone/testing';
import { eventually } from '@registrar/testing';
import { type JsonRecord, recordOf, recordsOf, textOf } from '@registrar/conformance';
import { Client, type Parameters } from '@registrar/conformance';
import { asOperator } from './operator.ts';

/** More than the matrix sends. */
const limits = { requestsPerSecond: 10_000, requestsPerSecondOfKey: 10_000 };

export const realmNames = ['a', 'b'] as const;
export type RealmName = (typeof realmNames)[number];

export type ItemKind =
  | 'application'
  | 'course'
  | 'registration'
  | 'invitation'
  | 'realm user'
  | 'template'
  | 'query'
  | 'key';

/** An item that requests can name, and its owner. */
export interface Item {
  readonly kind: ItemKind;
  readonly realm: RealmName;
  /** The provider application of the item; null for an item of the realm. */
  readonly application: number | null;
  /** The learner of the item; null for an item of no single user. */
  readonly learner: string | null;
  readonly id: number;
  /** The item's GUID, name or e-mail address. */
  readonly name: string;
  /** The course of a registration. */
  readonly course?: string;
  /** Texts that may appear only in responses to callers who reach the item. */
  readonly marks: readonly string[];
  /** A registration that was deleted, which stays in lists. */
  readonly deleted?: true;
}

export interface Application {
  readonly id: number;
  readonly pair: Parameters;
}

export interface Realm {
  readonly id: number;
  readonly guid: string;
  readonly pair: Parameters;
  readonly applications: readonly [Application, Application];
}

/** Two realms with two provider applications each, and two learners who are users of both realms. */
export class AccessFixture {
  readonly api: Client;
  readonly run = randomBytes(4).toString('hex');
  readonly learners = [`one-${this.run}@example.com`, `two-${this.run}@example.com`] as const;
  readonly items: Item[] = [];
  /** Texts that no response may contain. */
  readonly secrets: string[] = [];
  /** The e-mail addresses of each realm's users, in lower case. */
  readonly users: Readonly<Record<RealmName, Set<string>>> = { a: new Set(), b: new Set() };
  #realms: Record<RealmName, Realm> | undefined;
  #names = 0;

  private constructor(private readonly system: RunningSystem) {
    this.api = new Client(system.quickstart.base_url);
  }

  static async prepare(system: RunningSystem): Promise<AccessFixture> {
    const world = new AccessFixture(system);
    await asOperator(system, async (bus) => {
      world.#realms = { a: await world.#realm(bus, 'a'), b: await world.#realm(bus, 'b') };
      for (const realm of realmNames) await world.#storeQueries(bus, realm);
    });
    for (const realm of realmNames) await world.#fill(realm);
    for (const realm of realmNames) await world.#waitForCounts(realm);
    return world;
  }

  realm(name: RealmName): Realm {
    if (!this.#realms) throw new Error('the realms have not been created yet');
    return this.#realms[name];
  }

  /** Returns a name that no item has. */
  uniqueName(word: string): string {
    this.#names += 1;
    return `${word}-${this.run}-${this.#names}`;
  }

  itemsOfKind(kind: ItemKind): Item[] {
    return this.items.filter((item) => item.kind === kind);
  }

  add(item: Omit<Item, 'marks'> & Partial<Pick<Item, 'marks'>>): Item {
    const added = { marks: [], ...item };
    this.items.push(added);
    return added;
  }

  /** Records a registration from the response of create. */
  addRegistration(realm: RealmName, record: JsonRecord, more: Pick<Item, 'deleted'> = {}): Item {
    const name = textOf(record, 'registration_guid');
    const learner = textOf(record, 'learner_id').toLowerCase();
    this.users[realm].add(learner);
    return this.add({
      kind: 'registration',
      realm,
      learner,
      name,
      marks: [name],
      ...more,
      application: Number(record['course_provider_id']),
      id: Number(record['id']),
      course: textOf(record, 'course_guid'),
    });
  }

  /** Records the registrations in the extended response of add_learners. */
  addInvitedRegistrations(realm: RealmName, answer: JsonRecord): void {
    const guids = answer['registration_guids'] as Record<string, Record<string, JsonRecord>>;
    for (const [learner, courses] of Object.entries(guids)) {
      for (const [course, { registration_guid }] of Object.entries(courses)) {
        const name = String(registration_guid);
        if (this.items.some((item) => item.name === name)) continue;
        const of = this.itemsOfKind('course').find(
          (each) => each.realm === realm && each.name === course,
        );
        const place = {
          realm,
          application: of?.application ?? null,
          learner: learner.toLowerCase(),
        };
        this.add({ kind: 'registration', ...place, id: 0, name, course, marks: [name] });
      }
    }
  }

  /** Records an item of the realm. */
  addRealmItem(
    kind: ItemKind,
    realm: RealmName,
    record: JsonRecord,
    name: string,
    unique = false,
  ): Item {
    if (kind === 'realm user') this.users[realm].add(name.toLowerCase());
    const place = { kind, realm, application: null, learner: null };
    return this.add({ ...place, id: Number(record['id']), name, marks: unique ? [name] : [] });
  }

  async post(path: string, parameters: Parameters, status = 201): Promise<JsonRecord> {
    return recordOf(await this.api.post(`${path}.json`, parameters), status);
  }

  async #realm(bus: BusClient, name: RealmName): Promise<Realm> {
    const { realmId, realmGuid, realmSecretKey } = await bus.request(createRealm, { name });
    await bus.request(changeRealmLimits, { realmGuid, changes: limits, fromDefaults: false });
    this.secrets.push(realmSecretKey);
    const application = async (): Promise<Application> => {
      const appId = this.uniqueName(`app-${name}`);
      const secretKey = this.uniqueName('secret-of-an-application');
      const account = { appId, name: appId, secretKey };
      await bus.request(putApplication, { ...account, registrationLimit: null });
      const { applicationId: id } = await bus.request(createProviderApplication, {
        realmGuid,
        ...account,
        baseUrl: this.system.providerUrl,
      });
      const place = { realm: name, application: id, learner: null };
      this.add({ kind: 'application', ...place, id, name: appId, marks: [appId] });
      this.secrets.push(secretKey);
      return { id, pair: { sc_app_id: appId, sc_secret_key: secretKey } };
    };
    return {
      id: realmId,
      guid: realmGuid,
      pair: { realm_guid: realmGuid, realm_secret_key: realmSecretKey },
      applications: [await application(), await application()],
    };
  }

  /** Stores queries: one whose name both realms use, one of the realm, and one of each application. */
  async #storeQueries(bus: BusClient, realm: RealmName): Promise<void> {
    const { id: realmId, applications } = this.realm(realm);
    const sql = 'SELECT registration_guid, learner_id, course_guid FROM registrations';
    for (const [name, applicationId] of [
      [`own_${realm}_${this.run}`, null],
      ['of_both', null],
      [`first_${realm}_${this.run}`, applications[0].id],
      [`second_${realm}_${this.run}`, applications[1].id],
    ] as const) {
      const stored = await bus.request(putStoredQuery, { name, realmId, applicationId, sql });
      const place = { realm, application: applicationId, learner: null };
      this.add({ kind: 'query', ...place, id: stored.id, name });
    }
  }

  async #fill(realm: RealmName): Promise<void> {
    const { pair, applications } = this.realm(realm);
    const [first, second] = applications;
    const own = [`${realm}-first-${this.run}`, `${realm}-second-${this.run}`] as const;
    await this.#course(realm, first, own[0]);
    await this.#course(realm, second, own[1]);
    // Courses that share their GUID across realms: in both first applications, and in different ones.
    await this.#course(realm, first, `common-${this.run}`);
    await this.#course(realm, realm === 'a' ? second : first, `twin-${this.run}`);
    for (const item of this.itemsOfKind('course').filter((each) => each.realm === realm)) {
      const application = applications.find(({ id }) => id === item.application) ?? first;
      for (const learner_id of this.learners) {
        const wanted = { course_guid: item.name, learner_id };
        this.addRegistration(
          realm,
          await this.post('/registration', { ...application.pair, ...wanted }),
        );
      }
    }
    // The counts differ, so that they identify the realms.
    if (realm === 'a') {
      const more = { course_guid: `common-${this.run}`, learner_id: this.learners[1] };
      this.addRegistration(realm, await this.post('/registration', { ...first.pair, ...more }));
    }
    const only = (word: string) => `${realm}-${word}-${this.run}`;
    const both = (word: string) => `${word}-${this.run}`;
    await this.#invitation(realm, only('invitation'), own[0], true);
    await this.#invitation(realm, both('spring'), own[0], false);
    await this.create('template', realm, only('template'), true);
    await this.create('template', realm, both('welcome'), false);
    await this.create('realm user', realm, `${only('user')}@example.com`, true);
    this.addRealmItem('key', realm, await this.post('/api_key', pair), only('key'));
    const users = await this.api.get('/realm_user.json', pair);
    for (const record of JSON.parse(users.text) as JsonRecord[]) {
      const email = textOf(record, 'email');
      if (this.itemsOfKind('realm user').some(({ id }) => id === record['id'])) continue;
      this.addRealmItem('realm user', realm, record, email);
    }
  }

  /** Creates a template or a user of a realm. */
  async create(
    kind: 'template' | 'realm user',
    realm: RealmName,
    name: string,
    unique = false,
  ): Promise<Item> {
    const { pair } = this.realm(realm);
    const record =
      kind === 'template'
        ? await this.post('/template', { ...pair, name, body: `Of ${realm}` })
        : await this.post('/realm_user', { ...pair, email: name });
    return this.addRealmItem(kind, realm, record, name, unique);
  }

  /**
   * Creates an item beside another one, which a request then deletes. Only registrations are
   * recorded, because they stay in lists: those of a learner who has no key.
   */
  async createDeletable(beside: Item): Promise<Item> {
    const { kind, realm, application, course } = beside;
    const { pair, id: realmId, applications } = this.realm(realm);
    const name = this.uniqueName('deletable');
    const ofApplication = applications.find(({ id }) => id === application) ?? applications[0];
    const created = (record: JsonRecord) => ({ ...beside, id: Number(record['id']), name });
    switch (kind) {
      case 'course': {
        const file = await buildSamplePackage(sampleCourseNames[0]);
        const parameters = { ...ofApplication.pair, course_guid: name };
        return created(
          recordOf(await this.api.postMultipart('/course.json', parameters, file), 201),
        );
      }
      case 'registration': {
        const wanted = {
          course_guid: course ?? '',
          learner_id: `deletable-${this.run}@example.com`,
        };
        const record = await this.post('/registration', { ...ofApplication.pair, ...wanted });
        return this.addRegistration(realm, record, { deleted: true });
      }
      case 'query': {
        const stored = { name, realmId, applicationId: application, sql: 'SELECT 1 AS one' };
        await asOperator(this.system, (bus) => bus.request(putStoredQuery, stored));
        return { ...beside, name };
      }
      case 'invitation':
      case 'template':
        return created(await this.post(`/${kind}`, { ...pair, name }));
      case 'key':
        return created(await this.post('/api_key', pair));
      case 'application':
      case 'realm user':
        throw new Error(`no request deletes an item of the kind ${kind}`);
    }
  }

  /** Waits until a crawl has counted the registrations of every course. */
  async #waitForCounts(realm: RealmName): Promise<void> {
    await eventually(
      `every course of the realm ${realm} counts its registrations`,
      async () => {
        const courses = recordsOf(await this.api.get('/course.json', this.realm(realm).pair));
        return courses.every(({ registrations }) => Number(registrations) >= this.learners.length);
      },
      { intervalMs: 100 },
    );
  }

  async #course(realm: RealmName, { id, pair }: Application, course_guid: string): Promise<void> {
    const title = this.uniqueName(`title-of-${realm}`);
    const file = await buildSamplePackage(sampleCourseNames[0]);
    const parameters = { ...pair, course_guid, title };
    const answer = await this.api.postMultipart('/course.json', parameters, file);
    const record = recordOf(answer, 201);
    const place = { realm, application: id, learner: null };
    this.add({
      kind: 'course',
      ...place,
      id: Number(record['id']),
      name: course_guid,
      marks: [title],
    });
  }

  /** Creates an invitation and adds both learners, whose registrations are not created at the provider. */
  async #invitation(realm: RealmName, name: string, course: string, unique: boolean) {
    const { pair } = this.realm(realm);
    const courses = { name, course_guids: JSON.stringify([course]) };
    const made = await this.post('/invitation', { ...pair, ...courses });
    this.addRealmItem('invitation', realm, made, name, unique);
    const learners = JSON.stringify(this.learners);
    const added = { name, learners, skip_external_initialization: 't', api_template: 'extended' };
    this.addInvitedRegistrations(
      realm,
      await this.post('/invitation/add_learners', { ...pair, ...added }, 200),
    );
  }
}
