import { beforeAll, describe, expect, it } from 'vitest';
import type { RunningSystem } from '@registrar/standalone/testing';
import { recordOf } from '@registrar/conformance';
import type { Parameters } from '@registrar/conformance';
import { Installation } from '@registrar/conformance';

const learnerCount = 5000;

interface Registration {
  readonly registration_guid: string;
  readonly learner_id: string;
  readonly course_guid: string;
}

/** Checks that add_learners with thousands of learners creates each registration exactly once. */
export function describeBulkEnrolment(running: () => RunningSystem): void {
  describe('5,000 learners in one call', () => {
    let on: Installation;
    let courses: string[];
    let invitation: Parameters;
    let learners: string[];
    beforeAll(async () => {
      on = new Installation(running().quickstart);
      courses = [];
      for (const word of ['first', 'second', 'third']) courses.push(await on.importCourse(word));
      invitation = { name: on.unique('many') };
      const course_guids = JSON.stringify(courses);
      await on.api.post('/invitation.json', { ...on.realm, ...invitation, course_guids });
      learners = Array.from({ length: learnerCount }, (_, index) => `${index}-${on.learner()}`);
    });

    const add = async () => {
      const given = { learners: JSON.stringify(learners), skip_external_initialization: 't' };
      const more = { ...invitation, ...given, api_template: 'extended' };
      const answer = await on.api.post('/invitation/add_learners.json', more, on.realm);
      return recordOf(answer) as {
        record: { learners: string[]; course_guids: string[] };
        registration_guids: Record<string, Record<string, { registration_guid: string }>>;
        messages: string[];
      };
    };
    const listed = async () => {
      const found: Registration[] = [];
      for (const course_guid of courses) {
        const fields = 'registration_guid,learner_id,course_guid';
        const { text } = await on.api.get('/registration.json', {
          ...on.realm,
          course_guid,
          fields,
        });
        found.push(...(JSON.parse(text) as Registration[]));
      }
      return found;
    };

    it('5,000 learners in one call get one registration in each course, and the response contains all of them', async () => {
      const { record, registration_guids, messages } = await add();
      expect(messages).toHaveLength(learnerCount);
      expect(messages.every((message) => message.startsWith('Success!'))).toBe(true);
      expect(record.course_guids).toEqual(courses);
      expect(record.learners.toSorted()).toEqual(learners.toSorted());
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
