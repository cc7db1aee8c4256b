import { randomBytes } from 'node:crypto';
import { sampleCourseNames, buildSamplePackage } from '@registrar/sample-courses';
import { recordOf, textOf } from './checks.ts';
import { Client, type Parameters } from './client.ts';

/** The content of `quickstart.json`: addresses and credentials of an installation. */
export interface Facts {
  readonly base_url: string;
  /** Where its services call our own course provider. */
  readonly provider_url?: string;
  readonly realm_guid: string;
  readonly realm_secret_key: string;
  readonly sc_app_id: string;
  readonly sc_secret_key: string;
  readonly course_guid: string;
}

/** The installation under test, and fixtures that cases share. A fixture is created on first use. */
export class Installation {
  readonly api: Client;
  /** Part of every name that this run creates, so that runs do not collide. */
  readonly run = randomBytes(4).toString('hex');
  readonly realm: Parameters;
  readonly application: Parameters;
  readonly #fixtures = new Map<string, Promise<unknown>>();
  #names = 0;

  constructor(readonly facts: Facts) {
    this.api = new Client(facts.base_url);
    const { realm_guid, realm_secret_key, sc_app_id, sc_secret_key } = facts;
    this.realm = { realm_guid, realm_secret_key };
    this.application = { sc_app_id, sc_secret_key };
  }

  /** A unique name. */
  unique(word: string): string {
    this.#names += 1;
    return `conformance-${this.run}-${word}-${this.#names}`;
  }

  /** The e-mail address of a new learner. */
  learner(): string {
    return `${this.unique('learner')}@example.com`;
  }

  /** The result of the first call of `make` for this name. */
  once<T>(name: string, make: () => Promise<T>): Promise<T> {
    const fixture = this.#fixtures.get(name) ?? make();
    this.#fixtures.set(name, fixture);
    return fixture as Promise<T>;
  }

  /** An unbound API key made from the realm pair. */
  realmKey(): Promise<Parameters> {
    return this.once('realm key', () => this.key(this.realm));
  }

  /** An unbound API key made from the provider pair. */
  applicationKey(): Promise<Parameters> {
    return this.once('application key', () => this.key(this.application));
  }

  /** A user-bound API key of the realm. */
  userKey(email: string): Promise<Parameters> {
    return this.key({ ...this.realm, user_email: email });
  }

  async key(parameters: Parameters): Promise<Parameters> {
    const record = recordOf(await this.api.post('/api_key.json', parameters), 201);
    return { api_key: textOf(record, 'access_token') };
  }

  /** Imports a new course into the provider application. */
  async importCourse(word: string, more: Parameters = {}): Promise<string> {
    const course_guid = this.unique(word);
    await this.uploadCourse({ course_guid, ...more });
    return course_guid;
  }

  /** Imports a package into the provider application. */
  async uploadCourse(more: Parameters): Promise<void> {
    const parameters = { ...this.application, ...more };
    const file = await buildSamplePackage(sampleCourseNames[0]);
    recordOf(await this.api.postMultipart('/course.json', parameters, file), 201);
  }

  /** A course of this run that no case changes. */
  course(): Promise<string> {
    return this.once('course', () => this.importCourse('course'));
  }

  /** Registers a learner, by default a new one. @returns the registration's GUID */
  async register(course_guid: string, learner_id = this.learner(), more: Parameters = {}) {
    const parameters = { ...this.realm, course_guid, learner_id, ...more };
    const record = recordOf(await this.api.post('/registration.json', parameters), 201);
    return textOf(record, 'registration_guid');
  }
}
