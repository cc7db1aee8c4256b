import { randomBytes } from 'node:crypto';
import { sampleNames, samplePackage } from '#libs/sample-courses';
import { recordOf, textOf } from './checks.ts';
import { Client, type Parameters } from './client.ts';

/** The content of `quickstart.json`: all that a client needs to know. */
export interface Facts {
  readonly base_url: string;
  readonly realm_guid: string;
  readonly realm_secret_key: string;
  readonly sc_app_id: string;
  readonly sc_secret_key: string;
  readonly course_guid: string;
}

/** An installation under trial, and what cases share: each is made once, when first asked for. */
export class Installation {
  readonly api: Client;
  /** Part of every name that this run makes, so that no two runs meet. */
  readonly run = randomBytes(4).toString('hex');
  readonly realm: Parameters;
  readonly application: Parameters;
  readonly #made = new Map<string, Promise<unknown>>();
  #names = 0;

  constructor(readonly facts: Facts) {
    this.api = new Client(facts.base_url);
    const { realm_guid, realm_secret_key, sc_app_id, sc_secret_key } = facts;
    this.realm = { realm_guid, realm_secret_key };
    this.application = { sc_app_id, sc_secret_key };
  }

  /** A name that nothing else has. */
  unique(word: string): string {
    this.#names += 1;
    return `conformance-${this.run}-${word}-${this.#names}`;
  }

  /** The e-mail address of a learner whom nobody has met. */
  learner(): string {
    return `${this.unique('learner')}@example.com`;
  }

  /** What `make` gave when it was first called for that name. */
  once<T>(name: string, make: () => Promise<T>): Promise<T> {
    const made = this.#made.get(name) ?? make();
    this.#made.set(name, made);
    return made as Promise<T>;
  }

  /** An API key made from the realm pair and bound to nobody. */
  realmKey(): Promise<Parameters> {
    return this.once('realm key', () => this.key(this.realm));
  }

  /** An API key made from the provider application pair and bound to nobody. */
  applicationKey(): Promise<Parameters> {
    return this.once('application key', () => this.key(this.application));
  }

  /** An API key bound to a user of the realm. */
  userKey(email: string): Promise<Parameters> {
    return this.key({ ...this.realm, user_email: email });
  }

  async key(parameters: Parameters): Promise<Parameters> {
    const record = recordOf(await this.api.post('/api_key.json', parameters), 201);
    return { api_key: textOf(record, 'access_token') };
  }

  /** Imports a course of this run's own; the pair says into which application. */
  async importCourse(word: string, more: Parameters = {}): Promise<string> {
    const course_guid = this.unique(word);
    const parameters = { ...this.application, course_guid, ...more };
    const file = await samplePackage(sampleNames[0]);
    recordOf(await this.api.postMultipart('/course.json', parameters, file), 201);
    return course_guid;
  }

  /** A course of this run's own, for cases that leave it as it is. */
  course(): Promise<string> {
    return this.once('course', () => this.importCourse('course'));
  }

  /** Registers a learner, a new one unless one is given; answers the registration's GUID. */
  async register(course_guid: string, learner_id = this.learner(), more: Parameters = {}) {
    const parameters = { ...this.realm, course_guid, learner_id, ...more };
    const record = recordOf(await this.api.post('/registration.json', parameters), 201);
    return textOf(record, 'registration_guid');
  }
}
