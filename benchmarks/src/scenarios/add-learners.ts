import { asOperator } from '@registrar/e2e/operator';
import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import { insertLearners } from '../baselines/insert-learners.ts';
import { measureCall } from '../load/single-call.ts';
import { compareSystems, type Round } from '../results.ts';
import { measureRounds } from '../rounds.ts';
import type { Comparison } from '../scenario.ts';
import { addRealm } from '../system/add-realm.ts';
import { ApiAccess } from '../system/api-access.ts';
import { insertCourses } from '../system/fill.ts';
import type { Installation } from '../system/installation.ts';
import type { Processes } from '../system/process-usage.ts';

const learnerCount = 5_000;
const prefix = 'taught-';
const courseGuids = [1, 2, 3].map((place) => `${prefix}${place}`);
const registrationCount = learnerCount * courseGuids.length;

export const addLearners: Comparison = {
  name: 'add-learners',
  measures: '5,000 learners added to an invitation of 3 courses, beside INSERTs of the same rows',
  run: async (installation) => {
    const { database, processes } = installation;
    const { access, applicationId } = await fill(installation);
    const { PostgreSQL } = processes.distributed;
    const request = async ({ name }: Invitation, learners: readonly string[]) => {
      const body = new URLSearchParams({
        name,
        learners: JSON.stringify(learners),
        skip_external_initialization: 't',
      });
      await post(access.url('invitation/add_learners.json'), body, 200);
    };
    const insert = ({ id: invitationId }: Invitation, learners: readonly string[]) =>
      insertLearners(database, {
        realmId: applicationId,
        applicationId,
        invitationId,
        learners,
        courseGuids,
      });

    let count = 0;
    const measure = async (
      add: (invitation: Invitation, learners: readonly string[]) => Promise<void>,
      own: Processes,
    ): Promise<Round> => {
      count += 1;
      const invitation = await createInvitation(access, `round ${count}`);
      const learners = Array.from(
        { length: learnerCount },
        (_, place) => `added-${count}-${place}@bench.example`,
      );
      const round = await measureCall(() => add(invitation, learners), registrationCount, own);
      await requireRows(database, invitation, learners);
      return round;
    };
    const rounds = await measureRounds([
      { system: 'distributed', measure: () => measure(request, processes.distributed) },
      { system: 'INSERT', measure: () => measure(insert, PostgreSQL ? { PostgreSQL } : {}) },
    ]);
    const scenario = 'add_learners, 5,000 learners × 3 courses';
    const targets = [{ figure: 'seconds', baseline: 'INSERT', max: 3 }] as const;
    return [compareSystems(scenario, 'registrations', rounds, targets)];
  },
};

interface Invitation {
  readonly id: number;
  readonly name: string;
}

async function fill({ system, database }: Installation) {
  const { applicationId, pair } = await asOperator(system, (bus) => addRealm(bus, 'add-learners'));
  await insertCourses(database, { applicationId, count: courseGuids.length, prefix });
  return { access: await ApiAccess.create(system.quickstart, pair), applicationId };
}

async function createInvitation(access: ApiAccess, name: string): Promise<Invitation> {
  const body = new URLSearchParams({ name, course_guids: JSON.stringify(courseGuids) });
  const { id } = JSON.parse(await post(access.url('invitation.json'), body, 201)) as Invitation;
  return { id, name };
}

async function post(url: string, body: URLSearchParams, status: number): Promise<string> {
  const response = await fetch(url, { method: 'POST', body });
  const text = await response.text();
  if (response.status !== status) throw new Error(`${url} returned ${response.status}: ${text}`);
  return text;
}

/** @throws {Error} unless the invitation has all learners, as users, with all of their registrations */
async function requireRows(
  database: pg.Client,
  { id }: Invitation,
  learners: readonly string[],
): Promise<void> {
  const { rows } = await database.query<Record<'users' | 'learners' | 'registrations', number>>(
    `SELECT (SELECT count(*)::integer FROM identity.realm_users WHERE email = ANY ($2)) AS users,
            (SELECT count(*)::integer FROM enrolment.invitation_learners
             WHERE invitation_id = $1) AS learners,
            (SELECT count(*)::integer
             FROM enrolment.invitation_registrations AS a
             JOIN enrolment.registrations AS r ON r.id = a.registration_id
             WHERE a.invitation_id = $1 AND r.provider_state = 'local') AS registrations`,
    [id, learners],
  );
  const expected = {
    users: learnerCount,
    learners: learnerCount,
    registrations: registrationCount,
  };
  if (isDeepStrictEqual(rows[0], expected)) return;
  throw new Error(`the invitation has other rows: ${JSON.stringify(rows[0])}`);
}
