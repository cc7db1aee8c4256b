import pg from 'pg';
import { form, HttpClient } from './http-client.ts';
import type { Target } from './target.ts';
import { createTenant, type Tenant } from './tenant.ts';

const learnerCount = 400;

/** As long as `custom` may be (contract/parameters#custom-length). */
const customLength = 65_000;

const tenants = new WeakMap<Target, Promise<Tenant>>();

/** The realm with the longest list that a client can make within a few minutes: {@link learnerCount} of the longest records. */
export function longListTenant(target: Target): Promise<Tenant> {
  const tenant = tenants.get(target) ?? createLongList(target);
  tenants.set(target, tenant);
  return tenant;
}

async function createLongList(target: Target): Promise<Tenant> {
  const tenant = await createTenant(target, 'long-list');
  const { pair, courseGuid } = tenant;
  const client = new HttpClient(target, '127.0.1.1');
  const post = async (path: string, parameters: Readonly<Record<string, string>>) => {
    const body = form({ name: 'long list', ...parameters });
    const { status } = await client.call(`${path}?${form(pair).toString()}`, { body });
    if (status >= 300) throw new Error(`${path} returned ${status}`);
  };
  await post('/invitation.json', { course_guids: JSON.stringify([courseGuid]) });
  const learners = Array.from({ length: learnerCount }, (_, at) => `long-${at}@example.com`);
  await post('/invitation/add_learners.json', {
    learners: JSON.stringify(learners),
    skip_external_initialization: 't',
  });
  client.close();
  await lengthenCustom(target, tenant);
  return tenant;
}

/** Does in one statement what {@link learnerCount} registration updates would do. */
async function lengthenCustom({ databaseUrl }: Target, { applicationId }: Tenant): Promise<void> {
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  try {
    await database.query(
      `UPDATE enrolment.registrations SET custom = to_json(repeat('"', $2))
       WHERE provider_application_id = $1`,
      [applicationId, customLength / 2],
    );
  } finally {
    await database.end();
  }
}
