import pg from 'pg';
import type { Attack } from './attack.ts';
import { compareWithCalm, roundsOf, tooMuchTaken } from './compare-with-calm.ts';
import { createKeys } from './create-keys.ts';
import { floodOf, startFlooding } from './flood.ts';
import { apiOf, form, HttpClient } from './http-client.ts';
import { attackerAddresses } from './open-connections.ts';
import type { Target } from './target.ts';
import { createTenant, type Tenant } from './tenant.ts';

/** Courses of the realm that floods, and of the one that does not, with the length of their custom texts. */
const floodingCourses = { count: 200, customLength: 60_000 };
const bystanderCourses = { count: 5_000, customLength: 100 };

const floodPerSecond = 50;

/**
 * Looks ahead from each place of a text, so that its time grows with the square of the length. No two
 * expressions are the same, because the gateway keeps responses.
 */
const costlyExpression = (number: number) => `(?=.*z)y${number}`;
const costlyExpressions = 500;

const bystanderExpression = (number: number) => `knot.* 4[0-9]{2}(x${number})?$`;

/**
 * One realm floods with costly regular expressions, half of them with the key of a learner; another
 * realm's expression is measured (contract/parameters#expression-budget).
 */
export const expressions: Attack = {
  name: 'expressions',
  tried: `${floodPerSecond} costly expressions a second of one realm and of one learner's key`,
  async run(target, options) {
    const [flooding, asking] = await Promise.all([
      tenantWithCourses(target, 'flooding', floodingCourses),
      tenantWithCourses(target, 'asking', bystanderCourses),
    ]);
    const learner = { user_email: 'learner@example.com' };
    const keys = await createKeys(target, flooding, 1, learner);
    const calls = Array.from({ length: costlyExpressions }, (_, number) =>
      [flooding.pair, ...keys].map((access) => {
        const given = form({ ...access, custom_re: costlyExpression(number) }).toString();
        return { url: `${apiOf(target)}/course.json?${given}` };
      }),
    ).flat();
    const generator = await startFlooding();
    const client = new HttpClient(target, '127.0.0.2');
    let asked = 0;
    const ask = () => {
      asked += 1;
      const given = form({ ...asking.pair, title_re: bystanderExpression(asked) }).toString();
      return client.call(`/course.json?${given}`);
    };
    try {
      const compared = await compareWithCalm(
        { observe: (seconds) => observe(ask, seconds) },
        roundsOf(options),
        floodOf(generator, {
          calls,
          addresses: attackerAddresses(4),
          offered: { perSecond: floodPerSecond },
        }),
      );
      return { violations: tooMuchTaken(compared), bystander: compared };
    } finally {
      generator.stop();
      client.close();
    }
  },
};

/** Sends one request after another for so long. */
async function observe(ask: () => Promise<{ status: number }>, seconds: number) {
  const observed = [];
  const first = performance.now();
  for (let begun = first; begun < first + seconds * 1_000; begun = performance.now()) {
    const { status } = await ask();
    observed.push({ status, ms: performance.now() - begun, atMs: begun - first });
  }
  return observed;
}

/** Creates a realm with courses, which are inserted: importing so many would take minutes. */
async function tenantWithCourses(
  target: Target,
  name: string,
  { count, customLength }: { count: number; customLength: number },
): Promise<Tenant> {
  const tenant = await createTenant(target, name);
  const client = new pg.Client({ connectionString: target.databaseUrl });
  await client.connect();
  try {
    await client.query(
      `INSERT INTO catalog.courses (id, provider_application_id, course_guid, provider_title,
         size, versions, metadata, custom, sequence, confirmed_at)
       SELECT nextval('catalog.course_ids'), $1, $2::text || n, 'Ropes and knot ' || n,
         1, 1, '{}', repeat('x', $4::integer), 1, now()
       FROM generate_series(1, $3::integer) AS n`,
      [tenant.applicationId, name, count, customLength],
    );
  } finally {
    await client.end();
  }
  return tenant;
}
