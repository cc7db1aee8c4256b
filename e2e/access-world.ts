import { randomBytes } from 'node:crypto';
import type { BusClient } from '#libs/bus';
import {
  createProviderApplication,
  createRealm,
  putApplication,
  putStoredQuery,
} from '#libs/contracts';
import { sampleNames, samplePackage } from '#libs/sample-courses';
import type { RunningSystem } from '#libs/testing';
import { type JsonRecord, recordOf, recordsOf, textOf } from '../conformance/checks.ts';
import { Client, type Parameters } from '../conformance/client.ts';
import { asOperator } from './operator.ts';

export const realmNames = ['a', 'b'] as const;
export type RealmName = (typeof realmNames)[number];

export type ItemKind =
  'application' | 'course' | 'registration' | 'invitation' | 'realm user' | 'template' | 'query';

/** Something that requests can name, and where it belongs. */
export interface Item {
  readonly kind: ItemKind;
  readonly realm: RealmName;
  /** The provider application that it is of; null for what is the realm's own. */
  readonly application: number | null;
  /** Whose it is; null for what is no single user's. */
  readonly learner: string | null;
  readonly id: number;
  /** Its GUID, its name or its e-mail address. */
  readonly name: string;
  /** The course of a registration. */
  readonly course?: string;
  /** What is seen of it nowhere but in answers to those who reach it. */
  readonly marks: readonly string[];
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

/** Two realms of two provider applications each, with two learners whom both realms know. */
export class AccessWorld {
  readonly api: Client;
  readonly run = randomBytes(4).toString('hex');
  readonly learners = [`one-${this.run}@example.com`, `two-${this.run}@example.com`] as const;
  readonly items: Item[] = [];
  /** What no answer holds, whoever asks. */
  readonly secrets: string[] = [];
  /** The addresses of each realm's users, in lower case. */
  readonly users: Readonly<Record<RealmName, Set<string>>> = { a: new Set(), b: new Set() };
  #realms: Record<RealmName, Realm> | undefined;
  #names = 0;

  private constructor(private readonly system: RunningSystem) {
    this.api = new Client(system.quickstart.base_url);
  }

  static async prepare(system: RunningSystem): Promise<AccessWorld> {
    const world = new AccessWorld(system);
    await asOperator(system, async (bus) => {
      world.#realms = { a: await world.#realm(bus, 'a'), b: await world.#realm(bus, 'b') };
      for (const realm of realmNames) await world.#storeQueries(bus, realm);
    });
    for (const realm of realmNames) await world.#fill(realm);
    for (const realm of realmNames) await world.#counted(realm);
    return world;
  }

  realm(name: RealmName): Realm {
    if (!this.#realms) throw new Error('the realms are not there yet');
    return this.#realms[name];
  }

  /** A name that nothing has. */
  fresh(word: string): string {
    this.#names += 1;
    return `${word}-${this.run}-${this.#names}`;
  }

  ofKind(kind: ItemKind): Item[] {
    return this.items.filter((item) => item.kind === kind);
  }

  add(item: Omit<Item, 'marks'> & Partial<Pick<Item, 'marks'>>): Item {
    const added = { marks: [], ...item };
    this.items.push(added);
    return added;
  }

  /** Takes note of a registration, as create answered it. */
  addRegistration(realm: RealmName, record: JsonRecord): void {
    const name = textOf(record, 'registration_guid');
    const learner = textOf(record, 'learner_id').toLowerCase();
    this.users[realm].add(learner);
    this.add({
      ...{ kind: 'registration', realm, learner, name, marks: [name] },
      application: Number(record['course_provider_id']),
      id: Number(record['id']),
      course: textOf(record, 'course_guid'),
    });
  }

  /** Takes note of the registrations in the extended answer of add_learners. */
  addInvited(realm: RealmName, answer: JsonRecord): void {
    const guids = answer['registration_guids'] as Record<string, Record<string, JsonRecord>>;
    for (const [learner, courses] of Object.entries(guids)) {
      for (const [course, { registration_guid }] of Object.entries(courses)) {
        const name = String(registration_guid);
        if (this.items.some((item) => item.name === name)) continue;
        const of = this.ofKind('course').find(
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

  /** Takes note of what is the realm's own. */
  addOwn(kind: ItemKind, realm: RealmName, record: JsonRecord, name: string, unique = false): Item {
    if (kind === 'realm user') this.users[realm].add(name.toLowerCase());
    const place = { kind, realm, application: null, learner: null };
    return this.add({ ...place, id: Number(record['id']), name, marks: unique ? [name] : [] });
  }

  async post(path: string, parameters: Parameters, status = 201): Promise<JsonRecord> {
    return recordOf(await this.api.post(`${path}.json`, parameters), status);
  }

  async #realm(bus: BusClient, name: RealmName): Promise<Realm> {
    const { realmId, realmGuid, realmSecretKey } = await bus.request(createRealm, { name });
    this.secrets.push(realmSecretKey);
    const application = async (): Promise<Application> => {
      const appId = this.fresh(`app-${name}`);
      const secretKey = this.fresh('secret-of-an-application');
      const account = { appId, name: appId, secretKey };
      await bus.request(putApplication, { ...account, registrationLimit: null });
      const { applicationId: id } = await bus.request(createProviderApplication, {
        ...{ realmGuid, ...account, baseUrl: this.system.providerUrl },
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

  /** One of a name that both realms use, one of the realm's own, one of an application. */
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
    // Courses of one GUID, across realms: in both first ones, and in others.
    await this.#course(realm, first, `common-${this.run}`);
    await this.#course(realm, realm === 'a' ? second : first, `twin-${this.run}`);
    for (const item of this.ofKind('course').filter((each) => each.realm === realm)) {
      const application = applications.find(({ id }) => id === item.application) ?? first;
      for (const learner_id of this.learners) {
        const wanted = { course_guid: item.name, learner_id };
        this.addRegistration(
          realm,
          await this.post('/registration', { ...application.pair, ...wanted }),
        );
      }
    }
    // Numbers differ, so that one realm's can be told from the other's.
    if (realm === 'a') {
      const more = { course_guid: `common-${this.run}`, learner_id: this.learners[1] };
      this.addRegistration(realm, await this.post('/registration', { ...first.pair, ...more }));
    }
    const only = (word: string) => `${realm}-${word}-${this.run}`;
    const both = (word: string) => `${word}-${this.run}`;
    await this.#invitation(realm, only('invitation'), own[0], true);
    await this.#invitation(realm, both('spring'), own[0], false);
    await this.make('template', realm, only('template'), true);
    await this.make('template', realm, both('welcome'), false);
    await this.make('realm user', realm, `${only('user')}@example.com`, true);
    const users = await this.api.get('/realm_user.json', pair);
    for (const record of JSON.parse(users.text) as JsonRecord[]) {
      const email = textOf(record, 'email');
      if (this.ofKind('realm user').some(({ id }) => id === record['id'])) continue;
      this.addOwn('realm user', realm, record, email);
    }
  }

  /** Makes a template or a user of a realm. */
  async make(
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
    return this.addOwn(kind, realm, record, name, unique);
  }

  /** Until the crawl has told how many registrations each course has. */
  async #counted(realm: RealmName): Promise<void> {
    let courses: JsonRecord[];
    do {
      courses = recordsOf(await this.api.get('/course.json', this.realm(realm).pair));
    } while (courses.some(({ registrations }) => Number(registrations) < this.learners.length));
  }

  async #course(realm: RealmName, { id, pair }: Application, course_guid: string): Promise<void> {
    const title = this.fresh(`title-of-${realm}`);
    const file = await samplePackage(sampleNames[0]);
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

  /** With both learners, whose registrations the provider never sees. */
  async #invitation(realm: RealmName, name: string, course: string, unique: boolean) {
    const { pair } = this.realm(realm);
    const courses = { name, course_guids: JSON.stringify([course]) };
    const made = await this.post('/invitation', { ...pair, ...courses });
    this.addOwn('invitation', realm, made, name, unique);
    const learners = JSON.stringify(this.learners);
    const added = { name, learners, skip_external_initialization: 't', api_template: 'extended' };
    this.addInvited(realm, await this.post('/invitation/add_learners', { ...pair, ...added }, 200));
  }
}
