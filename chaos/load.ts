import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import type { Parameters } from '../conformance/client.ts';
import type { Calls, Told } from './calls.ts';
import type { Ledger, LicenceEntry } from './ledger.ts';
import { playAttempt } from './play.ts';
import type { SeededRandom } from './random.ts';

/** How long a client waits after a failure: milliseconds. */
const failurePause = 100;

/** The seats of a licence; some more learners than that ask for one. */
const seats = 60;
const claimsOver = 12;

const registration = z.object({ registration_guid: z.string() });
const registrations = z.array(registration);
const apiKey = z.object({ access_token: z.string() });
const launch = z.object({ launch_url: z.url() });
const granted = z.object({
  registration_guids: z.record(
    z.string(),
    z.record(z.string(), z.object({ registration_guid: z.string() })),
  ),
});

/** How often each kind of work is done, in relation to the others. */
const mix = {
  register: 30,
  registerOnce: 12,
  makeKey: 20,
  claim: 18,
  attempt: 8,
  read: 12,
} as const;
type Work = keyof typeof mix;
const works = Object.entries(mix).flatMap(([work, share]) =>
  Array.from({ length: share }, () => work as Work),
);

/** Clients that do all there is to do, and write down what they were told. */
export class Load {
  #learners = 0;
  #licence: LicenceEntry | null = null;
  #licences = 0;
  #stopped = false;
  readonly #clients: Promise<void>[] = [];
  readonly #played = new Set<string>();

  constructor(
    private readonly calls: Calls,
    private readonly ledger: Ledger,
    private readonly random: SeededRandom,
    private readonly courses: readonly string[],
  ) {}

  /** Lets so many more clients work at the same time. */
  add(clients: number): void {
    for (let each = 0; each < clients; each += 1) this.#clients.push(this.#client());
  }

  /** Lets what was asked be answered. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#clients);
  }

  async #client(): Promise<void> {
    while (!this.#stopped) {
      const done = await this.#do(this.random.pick(works));
      if (!done) await pause(failurePause);
    }
  }

  #do(work: Work): Promise<boolean> {
    switch (work) {
      case 'register':
        return this.#register();
      case 'registerOnce':
        return this.#registerOnce();
      case 'makeKey':
        return this.#makeKey();
      case 'claim':
        return this.#claim();
      case 'attempt':
        return this.#attempt();
      case 'read':
        return this.#read();
    }
  }

  #learner(): string {
    this.#learners += 1;
    return `learner-${this.#learners}@chaos.example`;
  }

  /** Where no answer came, asked for again under the same key until one does: done once. */
  async #register(): Promise<boolean> {
    const entry = { learner: this.#learner(), course: this.random.pick(this.courses) };
    const key = randomUUID();
    let told = await this.#create(entry, {}, key);
    while (!told.done && !this.#stopped) {
      await pause(failurePause);
      told = await this.#create(entry, {}, key);
    }
    const guid = told.done ? registration.parse(told.body).registration_guid : null;
    this.ledger.registrations.push({ ...entry, guid });
    return told.done;
  }

  /** Asked for twice at a time, and again until it is acknowledged: never more than one. */
  async #registerOnce(): Promise<boolean> {
    const entry = { learner: this.#learner(), course: this.random.pick(this.courses) };
    let guid: string | null = null;
    while (guid === null && !this.#stopped) {
      const answers = await Promise.all([
        this.#create(entry, { dont_duplicate: 't' }),
        this.#create(entry, { dont_duplicate: 't' }),
      ]);
      const guids = answers.flatMap((told) =>
        told.done ? [registration.parse(told.body).registration_guid] : [],
      );
      guid = guids[0] ?? null;
      if (guids.some((each) => each !== guid)) {
        this.ledger.contradictions.push(`${entry.learner} was given two registrations`);
      }
      if (guid === null) await pause(failurePause);
    }
    this.ledger.registrations.push({ ...entry, guid });
    return true;
  }

  #create(
    { learner, course }: { learner: string; course: string },
    more: Parameters,
    idempotencyKey?: string,
  ): Promise<Told> {
    const given = { learner_id: learner, course_guid: course, ...more };
    return this.calls.post('registration create', '/registration.json', given, idempotencyKey);
  }

  async #makeKey(): Promise<boolean> {
    const told = await this.calls.post('api key create', '/api_key.json', {});
    if (told.done) this.ledger.apiKeys.push(apiKey.parse(told.body).access_token);
    return told.done;
  }

  async #claim(): Promise<boolean> {
    const licence = this.#licence;
    if (!licence || licence.claims.length >= seats + claimsOver) return this.#makeLicence();
    const learners = Array.from({ length: this.random.whole(1, 3) }, () => this.#learner());
    const told = await this.calls.post('invitation add_learners', '/invitation/add_learners.json', {
      name: licence.name,
      learners: JSON.stringify(learners),
      api_template: 'extended',
      ...(this.random.next() < 0.3 && { nodelay: 't' }),
    });
    const guids = told.done ? granted.parse(told.body).registration_guids : {};
    for (const learner of learners) {
      const guid = guids[learner]?.[licence.course]?.registration_guid;
      const answer = guid === undefined ? (told.done ? 'refused' : 'unknown') : { guid };
      licence.claims.push({ learner, answer });
    }
    return told.done;
  }

  async #makeLicence(): Promise<boolean> {
    this.#licences += 1;
    const name = `licence ${this.#licences}`;
    const course = this.random.pick(this.courses);
    const told = await this.calls.post('invitation create', '/invitation.json', {
      name,
      license: 't',
      course_guids: JSON.stringify([course]),
      custom: JSON.stringify({ license_data: { [course]: { seats_available: seats } } }),
    });
    const outcome = told.done ? 'acknowledged' : 'unknown';
    const licence: LicenceEntry = { name, course, seats, outcome, claims: [] };
    this.ledger.licences.push(licence);
    if (told.done) this.#licence = licence;
    return told.done;
  }

  async #attempt(): Promise<boolean> {
    const guid = this.#anyGuid();
    if (!guid || this.#played.has(guid)) return true;
    this.#played.add(guid);
    const told = await this.calls.get(
      'registration launch_url',
      `/registration/${guid}/launch_url.json`,
      {},
    );
    if (!told.done) return false;
    const { launch_url: link } = launch.parse(told.body);
    const score = this.random.whole(0, 100);
    const kept = await playAttempt(this.calls, link, score);
    if (kept) this.ledger.attempts.push({ guid, score });
    return kept;
  }

  /** What was acknowledged is there to be read at once. */
  async #read(): Promise<boolean> {
    const guid = this.#anyGuid();
    if (!guid) return true;
    const told = await this.calls.get('registration index', '/registration.json', {
      registration_guid: guid,
    });
    if (told.done && registrations.parse(told.body).length !== 1) {
      this.ledger.contradictions.push(`registration ${guid} could not be read`);
    }
    return told.done;
  }

  /** Of a registration that was acknowledged; null while there is none. */
  #anyGuid(): string | null {
    const { registrations: all } = this.ledger;
    return all.length === 0 ? null : this.random.pick(all).guid;
  }
}
