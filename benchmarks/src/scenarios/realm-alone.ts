import { asOperator } from '@registrar/e2e/operator';
import type { HttpRequest } from '../load/http-load.ts';
import { compareSystems } from '../results.ts';
import { measureRounds } from '../rounds.ts';
import type { Comparison } from '../scenario.ts';
import { addRealm } from '../system/add-realm.ts';
import { ApiAccess } from '../system/api-access.ts';
import { insertCourses, insertRegistrations, ownerOf } from '../system/fill.ts';
import type { Installation } from '../system/installation.ts';

/** As many as a realm may have in hand and waiting at a gateway (apps/gateway/src/admission/turns.ts). */
const connections = 128;
const realmCount = 4;
const registrationCount = 1_000;
const courses = 19;

export const realmAlone: Comparison = {
  name: 'realm-alone',
  measures: 'the throughput of a realm that is alone, beside that of four realms together',
  run: async (installation) => {
    const { load, processes } = installation;
    const realms: HttpRequest[][] = [];
    for (let number = 1; number <= realmCount; number += 1) {
      realms.push(await fillRealm(installation, `alone-${number}`));
    }
    const [alone = []] = realms;
    const together = alone.flatMap((_, place) => realms.map((requests) => requests[place]!));
    const measure = (requests: HttpRequest[]) =>
      load.measure({ requests, pace: { connections }, status: 200 }, processes.distributed);
    const rounds = await measureRounds([
      { system: 'distributed', measure: () => measure(alone) },
      { system: 'four realms', measure: () => measure(together) },
    ]);
    const scenario = `registration index of one realm, ${connections} connections`;
    return [
      compareSystems(scenario, 'requests', rounds, [
        { figure: 'rate', baseline: 'four realms', min: 0.95 },
      ]),
    ];
  },
};

/** Adds a realm with registrations, and returns a request for one of each of its learners. */
async function fillRealm({ system, database }: Installation, name: string): Promise<HttpRequest[]> {
  const { applicationId, pair } = await asOperator(system, (bus) => addRealm(bus, name));
  const prefix = `${name}-`;
  await insertCourses(database, { applicationId, count: courses, prefix });
  await insertRegistrations(database, {
    ...(await ownerOf(database, applicationId)),
    count: registrationCount,
    prefix,
    courses,
  });
  const access = await ApiAccess.create(system.quickstart, pair);
  return Array.from({ length: Math.floor(registrationCount / courses) }, (_, learner) => ({
    url: access.url('registration.json', {
      learner_id: `learner-${learner}@bench.example`,
      course_guid: `${prefix}1`,
    }),
  }));
}
