import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import type { Parameters } from '@registrar/conformance';
import type { BalancedClient, CallResult } from './balanced-client.ts';
import type { Ledger, LicenseEntry } from './ledger.ts';
import { playAttempt } from './play-attempt.ts';
import type { SeededRandom } from '@registrar/testing';

/** Delay of a client after a failure in milliseconds. */
const retryDelayMs = 100;

/** The seats of a license, and the number of claims beyond them. */
const seats = 60;
const excessClaims = 12;

const registration = z.object({ registration_guid: z.string() });
const registrations = z.array(registration);
const apiKey = z.object({ access_token: z.string() });
const launch = z.object({ launch_url: z.url() });
const granted = z.object({
  registration_guids: z.record(
    z.string(),
    z.record(z.string(), z.object({ registration_guid: z.string() })),
  ),
  messages: z.array(z.string()),
});

/** Relative frequency of each kind of work. */
const weights = {
  register: 30,
  registerOnce: 12,
  makeKey: 20,
  claim: 18,
  attempt: 8,
  read: 12,
} as const;
type Work = keyof typeof weights;
const works = Object.entries(weights).flatMap(([work, share]) =>
  Array.from({ length: share }, () => work as Work),
);

/** Clients that use the API at random and record every response in the ledger. */
export class Load {
  #learners = 0;
  #license: LicenseEntry | null = null;
  #licenses = 0;
  #stopped = false;
  readonly #clients: Promise<void>[] = [];
  /** The registrations that were played, by this load or an earlier one of the ledger: a second attempt would replace the first. */
  readonly #played: Set<string>;

  constructor(
    private readonly calls: BalancedClient,
    private readonly ledger: Ledger,
    private readonly random: SeededRandom,
    private readonly courses: readonly string[],
    /** Part of every name that the clients create; differs between loads on the same data. */
    private readonly name = 'chaos',
  ) {
    this.#played = new Set(this.ledger.attempts.map(({ guid }) => guid));
  }

  /**
   * Starts further concurrent clients.
   *
   * @param pauseMs pause of each of them after an operation, in milliseconds: the runs test faults, and not how
   *   much a system can do
   */
  add(clients: number, pauseMs = 50): void {
    for (let each = 0; each < clients; each += 1) this.#clients.push(this.#client(pauseMs));
  }

  /** Stops the clients after their pending requests. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#clients);
  }

  async #client(pauseMs: number): Promise<void> {
    while (!this.#stopped) {
      const done = await this.#do(this.random.pick(works));
      await pause(done ? pauseMs : retryDelayMs);
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
    return `learner-${this.#learners}@${this.name}.example`;
  }

  /** Creates a registration; repeats the request with the same idempotency key until it is acknowledged. */
  async #register(): Promise<boolean> {
    const entry = { learner: this.#learner(), course: this.random.pick(this.courses) };
    const key = randomUUID();
    let told = await this.#create(entry, {}, key);
    while (!told.done && !this.#stopped) {
      await pause(retryDelayMs);
      told = await this.#create(entry, {}, key);
    }
    const guid = told.done ? registration.parse(told.body).registration_guid : null;
    this.ledger.registrations.push({ ...entry, guid });
    return told.done;
  }

  /** Creates a registration with dont_duplicate by two concurrent requests, repeated until one is acknowledged. */
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
        this.ledger.contradictions.push(`${entry.learner} got two registrations`);
      }
      if (guid === null) await pause(retryDelayMs);
    }
    this.ledger.registrations.push({ ...entry, guid });
    return true;
  }

  #create(
    { learner, course }: { learner: string; course: string },
    more: Parameters,
    idempotencyKey?: string,
  ): Promise<CallResult> {
    const given = { learner_id: learner, course_guid: course, ...more };
    return this.calls.post('registration create', '/registration.json', given, idempotencyKey);
  }

  async #makeKey(): Promise<boolean> {
    const told = await this.calls.post('api key create', '/api_key.json', {});
    if (told.done) this.ledger.apiKeys.push(apiKey.parse(told.body).access_token);
    return told.done;
  }

  async #claim(): Promise<boolean> {
    const license = this.#license;
    if (!license || license.claims.length >= seats + excessClaims) return this.#makeLicense();
    const learners = Array.from({ length: this.random.integer(1, 3) }, () => this.#learner());
    const told = await this.calls.post('invitation add_learners', '/invitation/add_learners.json', {
      name: license.name,
      learners: JSON.stringify(learners),
      api_template: 'extended',
      ...(this.random.next() < 0.3 && { nodelay: 't' }),
    });
    const reply = told.done ? granted.parse(told.body) : null;
    for (const learner of learners) {
      const guid = reply?.registration_guids[learner]?.[license.course]?.registration_guid;
      // With `nodelay`, a registration that the provider does not hold yet has a seat and no GUID.
      const isQueued = reply?.messages.some(
        (text) => text.startsWith('Not at the course provider yet') && text.includes(learner),
      );
      const answer = guid ? { guid } : reply && !isQueued ? 'refused' : 'unknown';
      license.claims.push({ learner, answer });
    }
    return told.done;
  }

  async #makeLicense(): Promise<boolean> {
    this.#licenses += 1;
    const name = `${this.name} license ${this.#licenses}`;
    const course = this.random.pick(this.courses);
    const told = await this.calls.post('invitation create', '/invitation.json', {
      name,
      license: 't',
      course_guids: JSON.stringify([course]),
      custom: JSON.stringify({ license_data: { [course]: { seats_available: seats } } }),
    });
    const outcome = told.done ? 'acknowledged' : 'unknown';
    const license: LicenseEntry = { name, course, seats, outcome, claims: [] };
    this.ledger.licenses.push(license);
    if (told.done) this.#license = license;
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
    const score = this.random.integer(0, 100);
    const kept = await playAttempt(this.calls, link, score);
    if (kept) this.ledger.attempts.push({ guid, score });
    return kept;
  }

  /** Checks that an acknowledged registration can be read at once. */
  async #read(): Promise<boolean> {
    const guid = this.#anyGuid();
    if (!guid) return true;
    const told = await this.calls.get('registration index', '/registration.json', {
      registration_guid: guid,
    });
    if (told.done && registrations.parse(told.body).length !== 1) {
      this.ledger.contradictions.push(
        `registration ${guid} was acknowledged and is not in the index`,
      );
    }
    return told.done;
  }

  /** Returns the GUID of a recorded registration; null while there is none. */
  #anyGuid(): string | null {
    const { registrations: all } = this.ledger;
    return all.length === 0 ? null : this.random.pick(all).guid;
  }
}
