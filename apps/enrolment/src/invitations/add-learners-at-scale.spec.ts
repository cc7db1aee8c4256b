import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BusClient } from '@registrar/bus';
import { addLearners } from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import { currentRequestContext, runInRequestContext } from '@registrar/platform';
import * as z from 'zod';
import { email } from '../enrolment.fixture.ts';
import {
  courseGuids,
  customOf,
  freeSeats,
  type InvitationsFixture,
  newLearner,
  problemsIn,
  startInvitationsFixture,
} from './invitations.fixture.ts';

describe('add_learners with many learners or requests', () => {
  let invitations: InvitationsFixture;

  beforeAll(async () => {
    invitations = await startInvitationsFixture();
  });
  afterAll(() => invitations.stop());

  const requestId = 'learners at scale';
  /** With a deadline that a slow machine meets. */
  const withDeadline = <T>(work: () => Promise<T>): Promise<T> =>
    runInRequestContext({ requestId, deadline: Date.now() + 100_000 }, work);

  /** Counts the statements of a request. */
  async function countStatements(work: () => Promise<unknown>): Promise<number> {
    const { dataSource } = invitations.database;
    const before = dataSource.logger;
    let count = 0;
    const ignore = () => undefined;
    dataSource.logger = {
      logQuery: () => {
        if (currentRequestContext()?.requestId === requestId) count += 1;
      },
      logQueryError: ignore,
      logQuerySlow: ignore,
      logSchemaBuild: ignore,
      logMigration: ignore,
      log: ignore,
    };
    try {
      await withDeadline(work);
    } finally {
      dataSource.logger = before;
    }
    return count;
  }

  it('adds 5,000 learners with no more statements than one learner needs, apart from ensureUsers', async () => {
    const seats = Object.fromEntries(courseGuids.map((guid) => [guid, 6000]));
    const license = { license: true, custom: customOf(seats) };
    const parts = { ...license, avoidDuplicateRegistrations: true };
    const [small, large] = [
      await invitations.createInvitation(parts),
      await invitations.createInvitation(parts),
    ];
    const few = await countStatements(() => invitations.add(small, [newLearner()]));
    expect(few).toBeGreaterThan(10);

    const learners = Array.from({ length: 5000 }, newLearner);
    let answer: Awaited<ReturnType<typeof invitations.add>> | undefined;
    const many = await countStatements(async () => {
      answer = await invitations.add(large, learners);
    });
    expect(many).toBeLessThanOrEqual(few + 5000 / 500);
    expect(problemsIn(answer?.messages ?? [])).toEqual([]);
    expect(answer?.messages).toHaveLength(5000);
    expect(answer?.record.learners).toEqual(learners);
    expect(new Set(answer?.record.registration_guids).size).toBe(15_000);
    expect(freeSeats(answer!.record)).toEqual({ sailing: 1000, rowing: 1000, surfing: 1000 });
    const assigned = learners.flatMap((learner) =>
      courseGuids.map((guid) => answer?.registrationGuids[learner]?.[guid]?.registration_guid),
    );
    expect(assigned.toSorted()).toEqual(answer?.record.registration_guids.toSorted());

    const rows = await invitations.database.many(
      z.object({}),
      sql`SELECT FROM registrations WHERE lower(learner_id) = ANY(${learners})
          GROUP BY learner_id, course_guid HAVING count(*) = 1 AND bool_and(active)`,
    );
    expect(rows).toHaveLength(15_000);
    const again = await withDeadline(() => invitations.add(large, learners));
    // Nobody is added a second time, so there is nothing to report.
    expect(again).toEqual({ ...answer, messages: [] });
  });

  describe('concurrently to three replicas', () => {
    let buses: BusClient[];

    beforeAll(async () => {
      const others = [await invitations.addReplica(), await invitations.addReplica()];
      buses = [invitations.bus, ...others.map((replica) => replica.get(BusClient))];
    });

    const addEverywhere = (name: string, groups: string[][], unlearners: string[] = []) =>
      Promise.all(
        groups.map((learners, index) =>
          withDeadline(() =>
            buses[index % buses.length]!.request(addLearners, {
              scope: invitations.scope,
              name,
              learners: learners.map(email),
              unlearners: unlearners.map(email),
              nodelay: false,
              skipExternalInitialization: true,
            }),
          ),
        ),
      );
    const activeOf = (learners: string[]) =>
      invitations.database.many(
        z.object({}),
        sql`SELECT FROM registrations WHERE active AND lower(learner_id) = ANY(${learners})`,
      );

    it('sells each seat once (contract/invitations#never-oversold)', async () => {
      const { name, id } = await invitations.createLicense(7);
      const learners = Array.from({ length: 60 }, newLearner);
      // Each learner is in two of the requests.
      const groups = Array.from({ length: 30 }, (_, index) =>
        [0, 1, 2, 3].map((offset) => learners[(index * 2 + offset) % 60]!),
      );
      const answers = await addEverywhere(name, groups);
      expect(await activeOf(learners)).toHaveLength(7);
      const got = answers.flatMap(({ registrationGuids }) =>
        Object.values(registrationGuids).flatMap((courses) =>
          Object.values(courses).map((course) => course.registration_guid),
        ),
      );
      expect(new Set(got).size).toBe(7);
      const [record] = await invitations.list({ id });
      expect(freeSeats(record!)).toEqual({ sailing: 0 });
      expect(record?.learners.toSorted()).toEqual(learners.toSorted());
      expect(record?.registration_guids.toSorted()).toEqual([...new Set(got)].toSorted());
    });

    it('sells a returned seat once', async () => {
      const invitation = await invitations.createLicense(5);
      const first = Array.from({ length: 5 }, newLearner);
      await invitations.add(invitation, first);
      const second = Array.from({ length: 20 }, newLearner);
      await addEverywhere(
        invitation.name,
        second.map((learner) => [learner]),
        first,
      );
      expect(await activeOf(first)).toHaveLength(0);
      expect(await activeOf(second)).toHaveLength(5);
    });

    it('creates no duplicates across two invitations that avoid them', async () => {
      const parts = { avoidDuplicateRegistrations: true, courseGuids: ['sailing', 'rowing'] };
      const [one, two] = [
        await invitations.createInvitation(parts),
        await invitations.createInvitation({ ...parts, courseGuids: ['rowing', 'sailing'] }),
      ];
      const learners = Array.from({ length: 20 }, newLearner);
      await Promise.all([
        addEverywhere(one.name, [learners, learners.toReversed(), learners]),
        addEverywhere(two.name, [learners.toReversed(), learners]),
      ]);
      expect(await activeOf(learners)).toHaveLength(40);
    });
  });
});
