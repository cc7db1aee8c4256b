import { startDistributedSystem } from '@registrar/standalone/testing';
import { createHash } from 'node:crypto';
import pg from 'pg';
import { LoadGenerator } from './load.ts';
import type { Stores } from './main.ts';
import type { PromiseResult } from './report.ts';

/** Courses of the realm that floods, and of the one that does not, with the length of their custom texts. */
const floodingCourses = { count: 200, customLength: 60_000 };
const bystanderCourses = { count: 5_000, customLength: 100 };

/** How long each measurement takes, and how long the flood runs before the second: seconds. */
const measureSeconds = 15;
const connectSeconds = 3;

const floodPerSecond = 50;

/** Looks ahead from each place of a text, so that its time grows with the square of the length. */
const costlyExpression = '(?=.*z)y';

/** The longest time of the other realm, in relation to the time without the flood (p95). */
const maxRatio = 1.5;

/** A realm with one provider application, as the API accepts it. */
interface Realm {
  readonly realm_guid: string;
  readonly realm_secret_key: string;
}

/**
 * Floods the system with costly regular expressions of one realm, and measures how much longer an
 * expression of another realm takes (contract/parameters#expression-budget).
 */
export async function measureExpressions(
  { databaseUrl, brokerUrl }: Stores,
  say: (text: string) => void,
): Promise<PromiseResult[]> {
  const system = await startDistributedSystem(brokerUrl, {
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'fatal',
    // Nothing else happens while it is measured.
    CRAWL_INTERVAL_SECONDS: '86400',
    MAX_CONNECTIONS_PER_ADDRESS: '4096',
  });
  const generator = await LoadGenerator.start();
  try {
    const flooding = await addRealm(databaseUrl, 'flooding', floodingCourses);
    const bystander = await addRealm(databaseUrl, 'bystander', bystanderCourses);
    const { base_url } = system.quickstart;
    const url = (realm: Realm, parameters: Record<string, string>) =>
      `${base_url}/course.json?${new URLSearchParams({ ...realm, ...parameters }).toString()}`;
    const asked = url(bystander, { title_re: 'knot.* 4[0-9]{2}$' });
    await times(asked, connectSeconds);
    const calm = await times(asked, measureSeconds);
    const flood = generator.offer({
      calls: [{ url: url(flooding, { custom_re: costlyExpression }) }],
      seconds: connectSeconds + measureSeconds + 1,
      offered: { perSecond: floodPerSecond },
    });
    await times(asked, connectSeconds);
    const flooded = await times(asked, measureSeconds);
    const { done, shed, failed } = await flood;
    say(
      `flood: ${floodPerSecond}/s for ${connectSeconds + measureSeconds} s: ${shed.count} shed ` +
        `(median ${shed.median.toFixed(1)} ms), ${failed.count} refused, ${done.count} done`,
    );
    for (const [name, all] of [
      ['without', calm],
      ['with', flooded],
    ] as const) {
      say(`${name} the flood: ${all.length} requests, p95 ${p95(all).toFixed(1)} ms`);
    }
    const ratio = p95(flooded) / p95(calm);
    return [
      {
        promise: `an expression of another realm takes less than ${maxRatio} of its time without the flood (p95)`,
        measured: ratio.toFixed(2),
        kept: ratio < maxRatio,
      },
    ];
  } finally {
    generator.stop();
    await system.dispose();
  }
}

/** Sends a request again and again and returns the milliseconds that each took. */
async function times(url: string, seconds: number): Promise<number[]> {
  const measured: number[] = [];
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end) {
    const begun = performance.now();
    const response = await fetch(url);
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`the bystander got ${response.status}`);
    measured.push(performance.now() - begun);
  }
  return measured;
}

const p95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? NaN;

/** Inserts a realm with courses. */
async function addRealm(
  databaseUrl: string,
  name: string,
  { count, customLength }: { count: number; customLength: number },
): Promise<Realm> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const secret = `secret of ${name}`;
    const hash = createHash('sha256').update(secret, 'utf8').digest();
    const { rows } = await client.query<{ id: string }>(
      `WITH realm AS (
         INSERT INTO identity.realms (guid, name, secret_hash) VALUES ($1, $1, $2) RETURNING id
       )
       INSERT INTO identity.provider_applications
         (realm_id, name, base_url, app_id, sealed_secret_key, secret_fingerprint)
       SELECT id, $1, 'http://localhost:9', $1, 'none', $2 FROM realm RETURNING id`,
      [name, hash],
    );
    await client.query(
      `INSERT INTO catalog.courses (id, provider_application_id, course_guid, provider_title,
         size, versions, registrations, metadata, custom, sequence, confirmed_at)
       SELECT nextval('catalog.course_ids'), $1, $2::text || n, 'Ropes and knot ' || n,
         1, 1, 0, '{}', repeat('x', $4::integer), 1, now()
       FROM generate_series(1, $3::integer) AS n`,
      [rows[0]?.id, name, count, customLength],
    );
    return { realm_guid: name, realm_secret_key: secret };
  } finally {
    await client.end();
  }
}
