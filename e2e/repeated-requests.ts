import { beforeAll, describe, expect, it } from '@jest/globals';
import { samplePackage } from '#libs/sample-courses';
import type { RunningSystem } from '#libs/testing';
import { randomUUID } from 'node:crypto';
import { ApiClient, records } from './client.ts';

/** What becomes of requests that a client sends again under the same `Idempotency-Key`. */
export function describeRepeatedRequests(running: () => RunningSystem): void {
  describe('requests that are repeated under their key', () => {
    const api = () => new ApiClient(running());
    const newEmail = () => `learner-${randomUUID()}@example.com`;
    const key = () => ({ 'idempotency-key': randomUUID() });
    let coursePackage: Buffer;

    beforeAll(async () => {
      coursePackage = await samplePackage('first-aid-basics');
    });

    it('are answered alike, and done once', async () => {
      const operations = [
        ['/api_key.json', {}],
        ['/realm_user.json', { email: newEmail() }],
        ['/invitation.json', { name: randomUUID() }],
        [
          '/template.json',
          { name: randomUUID(), body: 'x', markup: 'html', mimetype: 'text/html' },
        ],
        [
          '/registration.json',
          {
            ...api().application,
            course_guid: running().quickstart.course_guid,
            learner_id: newEmail(),
          },
        ],
      ] as const;
      for (const [path, parameters] of operations) {
        const asked = { ...api().realm, ...parameters };
        const headers = key();
        const first = await api().post(path, asked, headers);
        expect([path, first.status]).toEqual([path, 201]);
        const second = await api().post(path, asked, headers);
        expect([path, second.status, second.text]).toEqual([path, 201, first.text]);
        const another = await api().post(path, asked, key());
        expect(another.text).not.toBe(first.text);
      }
    });

    it('are done once when they come at the same time', async () => {
      const asked = {
        ...api().realm,
        ...api().application,
        course_guid: running().quickstart.course_guid,
        learner_id: newEmail(),
      };
      const headers = key();
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => api().post('/registration.json', asked, headers)),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
      const { learner_id } = asked;
      const made = records(await api().get('/registration.json', { ...api().realm, learner_id }));
      expect(made).toHaveLength(1);
    });

    it('are uploads as well', async () => {
      const headers = key();
      const upload = () => api().upload('/course.json', api().realm, coursePackage, headers);
      const first = await upload();
      expect(first.status).toBe(201);
      expect(await upload()).toMatchObject({ status: 201, text: first.text });
    });
  });
}
