import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Ledger } from './ledger.ts';

/** The violations that a comparison found, one line each. */
export interface Findings {
  readonly lost: readonly string[];
  readonly duplicated: readonly string[];
  readonly oversold: readonly string[];
  /** Events that were written before the last fault ended and are still in an outbox or parked. */
  readonly unsent: readonly string[];
  /** Registrations whose result differs from the one at the provider. */
  readonly stale: readonly string[];
}

interface Registration {
  readonly guid: string;
  readonly learner: string;
  readonly course: string;
  readonly state: string;
  readonly complete: string;
  readonly success: string;
  readonly score: number | null;
  readonly seconds: number;
}
interface License {
  readonly name: string;
  readonly free: number;
  readonly holders: Readonly<Record<string, string>>;
}

const contexts = ['identity', 'catalog', 'enrolment', 'crawler', 'provider'];
const hash = (secret: string) => createHash('sha256').update(secret, 'utf8').digest('hex');

/**
 * Compares the acknowledged operations with the data of the contexts and the provider.
 *
 * @param providerDatabaseUrl the provider's database; default: that of the other contexts
 */
export async function compare(
  ledger: Ledger,
  databaseUrl: string,
  faultsEnded: Date,
  providerDatabaseUrl = databaseUrl,
): Promise<Findings> {
  const client = new pg.Client({ connectionString: databaseUrl });
  const provider = new pg.Client({ connectionString: providerDatabaseUrl });
  await Promise.all([client.connect(), provider.connect()]);
  try {
    const rows = async <Row>(sql: string, parameters: unknown[] = [], of = client) =>
      (await of.query(sql, parameters)).rows as Row[];
    const inEnrolment = await rows<Registration>(enrolmentRegistrations);
    const atProvider = await rows<Registration>(providerRegistrations, [], provider);
    const licenses = await rows<License>(licensesInEnrolment);
    const keys = await rows<{ hash: string }>(
      `SELECT encode(token_hash, 'hex') AS hash FROM identity.api_keys`,
    );
    const unsent: string[] = [];
    for (const context of contexts) {
      const events = await rows<{ id: string; name: string; parked: boolean }>(
        `SELECT id, name, parked_at IS NOT NULL AS parked FROM ${context}.outbox
         WHERE created_at < $1 OR parked_at IS NOT NULL
         UNION ALL SELECT id, event, true FROM ${context}.parked_events`,
        [faultsEnded],
        context === 'provider' ? provider : client,
      );
      unsent.push(
        ...events.map(
          ({ id, name, parked }) => `${context}: ${name} ${id}${parked ? ' is parked' : ''}`,
        ),
      );
    }
    return {
      lost: [
        ...lostRegistrations(ledger, byGuid(inEnrolment), byGuid(atProvider)),
        ...lostKeys(ledger, new Set(keys.map((key) => key.hash))),
        ...lostLicenses(ledger, licenses),
        ...lostAttempts(ledger, byGuid(atProvider)),
        ...ledger.contradictions,
      ],
      duplicated: [
        ...duplicates(inEnrolment).map((what) => `in enrolment: ${what}`),
        ...duplicates(atProvider).map((what) => `at the provider: ${what}`),
        ...knownToProviderOnly(byGuid(inEnrolment), atProvider),
      ],
      oversold: oversold(ledger, licenses),
      unsent,
      stale: stale(byGuid(inEnrolment), atProvider),
    };
  } finally {
    await Promise.all([client.end(), provider.end()]);
  }
}

const enrolmentRegistrations = `
  SELECT registration_guid AS guid, learner_id AS learner, course_guid AS course,
         provider_state AS state, complete, success, score, totaltime AS seconds
  FROM enrolment.registrations`;

/** The provider's registrations with the values of the API. */
const providerRegistrations = `
  SELECT r.registration_id AS guid, r.learner_id AS learner, c.course_id AS course, 'ready' AS state,
         CASE r.completion WHEN 'COMPLETED' THEN 'complete' ELSE lower(r.completion) END AS complete,
         CASE r.success WHEN 'PASSED' THEN 'succeeded' ELSE lower(r.success) END AS success,
         r.score, r.total_seconds AS seconds
  FROM provider.registrations AS r JOIN provider.courses AS c ON c.id = r.course`;

const licensesInEnrolment = `
  SELECT i.name, s.free, coalesce(
           (SELECT json_object_agg(g.learner_key, r.registration_guid)
            FROM enrolment.invitation_registrations AS g
            JOIN enrolment.registrations AS r ON r.id = g.registration_id
            WHERE g.invitation_id = i.id AND g.holds_seat), '{}') AS holders
  FROM enrolment.invitations AS i
  JOIN enrolment.invitation_seats AS s ON s.invitation_id = i.id
  WHERE i.license`;

const byGuid = (registrations: readonly Registration[]): Map<string, Registration> =>
  new Map(registrations.map((each) => [each.guid, each]));

function lostRegistrations(
  { registrations, licenses }: Ledger,
  here: ReadonlyMap<string, Registration>,
  there: ReadonlyMap<string, Registration>,
): string[] {
  const acknowledged = [
    ...registrations.flatMap(({ guid }) => guid ?? []),
    ...licenses.flatMap(({ claims }) =>
      claims.flatMap(({ answer }) => (typeof answer === 'string' ? [] : answer.guid)),
    ),
  ];
  return acknowledged.flatMap((guid) => {
    if (!here.has(guid)) return `registration ${guid} is missing`;
    if (!there.has(guid)) return `registration ${guid} is not at the provider`;
    const { state } = here.get(guid) ?? {};
    return state === 'ready' ? [] : `registration ${guid} is ${String(state)}`;
  });
}

const lostKeys = ({ apiKeys }: Ledger, hashes: ReadonlySet<string>): string[] =>
  apiKeys.flatMap((token, place) => (hashes.has(hash(token)) ? [] : `API key ${place}`));

function lostLicenses({ licenses }: Ledger, held: readonly License[]): string[] {
  const byName = new Map(held.map((license) => [license.name, license]));
  return licenses.flatMap(({ name, outcome, claims }) => {
    const license = byName.get(name);
    if (!license) return outcome === 'acknowledged' ? `${name} is missing` : [];
    return claims.flatMap(({ learner, answer }) => {
      const holds = license.holders[learner];
      if (typeof answer === 'string' || holds === answer.guid) return [];
      return `seat of ${learner} in ${name}`;
    });
  });
}

const lostAttempts = ({ attempts }: Ledger, there: ReadonlyMap<string, Registration>): string[] =>
  attempts.flatMap(({ guid, score }) => {
    const kept = there.get(guid);
    if (kept?.complete === 'complete' && kept.score === score) return [];
    return `attempt of ${guid} with ${score} %: the provider has ${String(kept?.score)} %`;
  });

/** Finds duplicate registrations: every learner of a run creates one registration in a course. */
function duplicates(registrations: readonly Registration[]): string[] {
  const places = Map.groupBy(registrations, ({ learner, course }) => `${learner} in ${course}`);
  return [...places].flatMap(([place, { length }]) => (length > 1 ? `${place}: ${length}` : []));
}

const knownToProviderOnly = (
  here: ReadonlyMap<string, Registration>,
  there: readonly Registration[],
): string[] =>
  there.flatMap(({ guid }) => (here.has(guid) ? [] : `${guid} exists only at the provider`));

function oversold({ licenses }: Ledger, held: readonly License[]): string[] {
  const given = new Map(licenses.map((license) => [license.name, license]));
  return held.flatMap(({ name, free, holders }) => {
    const { seats, claims } = given.get(name) ?? { seats: 0, claims: [] };
    const count = Object.keys(holders).length;
    const refused = claims.filter(
      ({ learner, answer }) => answer === 'refused' && holders[learner],
    );
    return [
      ...(count + free === seats ? [] : [`${name}: ${count} taken and ${free} free of ${seats}`]),
      ...refused.map(
        ({ learner }) => `${name}: ${learner} was told that no seat is free and has one`,
      ),
    ];
  });
}

function stale(here: ReadonlyMap<string, Registration>, there: readonly Registration[]): string[] {
  return there.flatMap((result) => {
    const ours = here.get(result.guid);
    if (!ours || resultOf(ours) === resultOf(result)) return [];
    return `${result.guid}: ${resultOf(ours)}, and the provider has ${resultOf(result)}`;
  });
}

const resultOf = ({ complete, success, score, seconds }: Registration): string =>
  [complete, success, score, seconds].map(String).join(' ');
