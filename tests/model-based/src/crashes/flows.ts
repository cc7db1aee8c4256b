import {
  addLearners,
  createRegistration,
  type EmailAddress,
  apiKeyLimits,
  issueApiKey,
  resolveAccess,
} from '@registrar/contracts';
import { createLicense, scope } from '../client.ts';
import { type CrashSystem } from './crash-system.ts';

/** A client's request or a periodic task whose effect must survive a crash. */
export interface Flow {
  readonly name: string;
  readonly crawler: 'real' | 'counter';
  /** Prepares the system once, before all runs. */
  prepare?(system: CrashSystem): Promise<void>;
  /**
   * Starts the flow; another call with the same learner is a repetition.
   *
   * @returns the acknowledged effect
   */
  request(system: CrashSystem, learner: EmailAddress): Promise<string>;
  /** Tells whether no work is pending. */
  isSettled(system: CrashSystem): Promise<boolean>;
  /** Returns the stored effects of the settled flow; they must equal the acknowledged effect. */
  effects(system: CrashSystem, learner: EmailAddress, acknowledged: string): Promise<string[]>;
}

/** Tells whether the outboxes are empty, no registration waits for the provider, and every event was counted. */
async function isSettled(system: CrashSystem): Promise<boolean> {
  const [left] = await system.query<{ quiet: boolean }>(
    `SELECT NOT EXISTS (SELECT FROM identity.outbox)
        -- the stub of the catalog handles no events
        AND NOT EXISTS (SELECT FROM enrolment.outbox WHERE subscribers <> '{catalog}')
        AND NOT EXISTS (
          SELECT FROM enrolment.registrations WHERE provider_state NOT IN ('ready', 'local')
        )
        AND (SELECT count(*) FROM enrolment.registrations) <= (
          SELECT count(*) FROM crawler.counted_events WHERE event = 'registration created'
        )
        -- the first event is about the provider application
        AND (SELECT count(*) + 1 FROM identity.api_keys) <= (
          SELECT count(*) FROM crawler.counted_events WHERE event = 'access changed'
        ) AS quiet`,
  );
  return left?.quiet === true;
}

const registrationsOf = async (system: CrashSystem, learner: EmailAddress): Promise<string[]> => {
  const rows = await system.query<{ guid: string }>(
    'SELECT registration_guid AS guid FROM enrolment.registrations WHERE learner_id = $1',
    [learner],
  );
  return rows.map((row) => row.guid);
};

const createRegistrationFlow: Flow = {
  name: 'create registration',
  crawler: 'counter',
  request: async (system, learnerId) => {
    const { registration_guid: guid } = await system.bus.request(createRegistration, {
      scope,
      applicationId: 1,
      courseGuid: 'swimming',
      learnerId,
      firstName: 'Ada',
      lastName: 'Lovelace',
      dontDuplicate: false,
      checkHosted: false,
    });
    return guid;
  },
  isSettled: isSettled,
  effects: registrationsOf,
};

/** The license that the learners are added to. */
const license = { name: 'Swimmers', courseGuid: 'swimming', seats: 100_000 };

const addLearnersFlow: Flow = {
  name: 'add_learners',
  crawler: 'counter',
  prepare: async ({ bus }) => {
    await createLicense(bus, license);
  },
  request: async (system, learner) => {
    const { registrationGuids } = await system.bus.request(addLearners, {
      scope,
      name: license.name,
      learners: [learner],
      unlearners: [],
      nodelay: true,
      skipExternalInitialization: false,
    });
    const created = registrationGuids[learner]?.['swimming']?.registration_guid;
    // The reply does not name a registration that is still queued.
    return created ?? (await registrationsOf(system, learner))[0] ?? 'nothing';
  },
  isSettled: isSettled,
  effects: async (system, learner) => {
    const [seats] = await system.query<{ lost: number }>(
      `SELECT $1 - free - (
         SELECT count(*)::integer FROM enrolment.invitation_registrations WHERE holds_seat
       ) AS lost
       FROM enrolment.invitation_seats`,
      [license.seats],
    );
    const lost = seats?.lost === 0 ? [] : [`${seats?.lost} seats lost`];
    return [...(await registrationsOf(system, learner)), ...lost];
  },
};

const createKeyFlow: Flow = {
  name: 'key create',
  crawler: 'counter',
  request: async ({ operator, realmGuid }, userEmail) => {
    const key = { realmGuid, userEmail, applicationId: null, ...apiKeyLimits.parse({}) };
    return (await operator.request(issueApiKey, key)).token;
  },
  isSettled: isSettled,
  effects: async (system, learner, token) => {
    const access = await system.bus.request(resolveAccess, {
      credentials: { mode: 'api_key', token },
    });
    const keys = await system.query(
      `SELECT FROM identity.api_keys AS k JOIN identity.users AS u ON u.id = k.user_id
       WHERE u.email = $1`,
      [learner],
    );
    return access.user?.email === learner ? keys.map(() => token) : [];
  },
};

/** The registration that is crawled, with a new score in each run. */
const crawledGuid = 'crawled-registration';

const crawlFlow: Flow = {
  name: 'crawl',
  crawler: 'real',
  prepare: async ({ account }) => account.addRegistration(crawledGuid, 'swimming'),
  request: async (system, learner) => {
    const score = scoreFor(learner);
    system.account.change(crawledGuid, { score: { scaled: score } });
    await system.query(
      `UPDATE crawler.due_crawls SET due_at = now() WHERE kind = 'changed-registrations'`,
    );
    return `${score}`;
  },
  isSettled: async (system) => {
    const [left] = await system.query<{ over: boolean }>(
      `SELECT NOT EXISTS (SELECT FROM crawler.outbox WHERE 'enrolment' = ANY(subscribers))
          AND NOT EXISTS (SELECT FROM crawler.due_crawls WHERE due_at <= now())
          AND NOT EXISTS (SELECT FROM crawler.applications WHERE lease_until > now())
          AND EXISTS (SELECT FROM crawler.applications) AS over`,
    );
    // An event that has left the outbox may still be in a queue of the broker.
    const [score] = await scoresShown(system);
    const held = system.account.registrations.get(crawledGuid)?.score?.scaled ?? null;
    return left?.over === true && score === held;
  },
  effects: async (system) => (await scoresShown(system)).map(String),
};

async function scoresShown(system: CrashSystem): Promise<(number | null)[]> {
  const rows = await system.query<{ score: number | null }>(
    'SELECT score FROM enrolment.registrations WHERE registration_guid = $1',
    [crawledGuid],
  );
  return rows.map(({ score }) => score);
}

/** Scores are integers, so that they are returned unchanged. */
const scores = new Map<string, number>();
function scoreFor(learner: string): number {
  const score = scores.get(learner) ?? (scores.size % 99) + 1;
  scores.set(learner, score);
  return score;
}

export const flows: readonly Flow[] = [
  createRegistrationFlow,
  addLearnersFlow,
  createKeyFlow,
  crawlFlow,
];
