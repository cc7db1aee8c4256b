import { beforeAll, describe, expect, it } from 'vitest';
import type { RunningSystem } from '@registrar/standalone/testing';
import type { RegistrarClient } from '@registrar/client';
import { Installation } from '@registrar/conformance';
import { realmClient } from './realm-client.ts';

const learnerCount = 5000;

/** Checks that add_learners with thousands of learners creates each registration exactly once. */
export function describeBulkEnrolment(running: () => RunningSystem): void {
  describe('5,000 learners in one call', () => {
    let on: Installation;
    let courses: string[];
    let registrar: RegistrarClient;
    let name: string;
    let learners: string[];
    beforeAll(async () => {
      on = new Installation(running().quickstart);
      courses = [];
      for (const word of ['first', 'second', 'third']) courses.push(await on.importCourse(word));
      registrar = realmClient(running());
      name = on.unique('many');
      await registrar.invitations.create({ name, course_guids: courses });
      learners = Array.from({ length: learnerCount }, (_, index) => `${index}-${on.learner()}`);
    });

    const add = async () => {
      const { record, registration_guids, messages } = await registrar.invitations.addLearners({
        name,
        learners,
        skip_external_initialization: true,
        api_template: 'extended',
      });
      if (Array.isArray(registration_guids)) throw new Error('the GUIDs are not by learner');
      return { record, registration_guids, messages };
    };
    const listed = async () => {
      const fields = 'registration_guid,learner_id,course_guid';
      const lists = courses.map((course_guid) =>
        Array.fromAsync(registrar.registrations.list({ course_guid, fields })),
      );
      return (await Promise.all(lists)).flat();
    };

    it('5,000 learners in one call get one registration in each course, and the response contains all of them', async () => {
      const { record, registration_guids, messages } = await add();
      expect(messages).toHaveLength(learnerCount);
      expect(messages?.every((message) => message.startsWith('Success!'))).toBe(true);
      expect(record?.course_guids).toEqual(courses);
      expect(record?.learners.toSorted()).toEqual(learners.toSorted());
      expect(Object.keys(registration_guids).sort()).toEqual(learners.toSorted());

      const registrations = await listed();
      expect(registrations).toHaveLength(learnerCount * courses.length);
      const returned = Object.entries(registration_guids).flatMap(([learner_id, byCourse]) =>
        Object.entries(byCourse).map(([course_guid, { registration_guid }]) =>
          [learner_id, course_guid, registration_guid].join(' '),
        ),
      );
      const stored = registrations.map(({ learner_id, course_guid, registration_guid }) =>
        [learner_id, course_guid, registration_guid].join(' '),
      );
      expect(stored.sort()).toEqual(returned.sort());
      expect(new Set(registrations.map((each) => each.registration_guid)).size).toBe(
        returned.length,
      );
      const places = registrations.map((each) => `${each.learner_id} ${each.course_guid}`);
      expect(new Set(places).size).toBe(returned.length);
    });

    it('5,000 learners in one call get no further registration when the call is repeated', async () => {
      const before = await add();
      const count = (await listed()).length;
      expect(await add()).toEqual(before);
      expect(await listed()).toHaveLength(count);
      expect(count).toBe(learnerCount * courses.length);
    });
  });
}
