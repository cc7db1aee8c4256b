import { beforeAll, describe, expect, it } from 'vitest';
import { buildSamplePackage } from '@registrar/sample-courses';
import type { RunningSystem } from '@registrar/standalone/testing';
import { randomUUID } from 'node:crypto';
import { ApiClient } from './client.ts';

/** Checks requests that are repeated with one `Idempotency-Key`, beyond the cases of the conformance suite. */
export function describeIdempotency(running: () => RunningSystem): void {
  describe('requests with an Idempotency-Key', () => {
    const api = () => new ApiClient(running());
    const newEmail = () => `learner-${randomUUID()}@example.com`;
    const key = () => ({ 'idempotency-key': randomUUID() });
    let coursePackage: Buffer;

    beforeAll(async () => {
      coursePackage = await buildSamplePackage('first-aid-basics');
    });

    it('requests with an Idempotency-Key create each kind of record once, and return the first response again', async () => {
      const operations = [
        ['/api_key.json', {}],
        ['/realm_user.json', { email: newEmail() }],
        ['/invitation.json', { name: randomUUID() }],
        [
          '/template.json',
          { name: randomUUID(), body: 'x', markup: 'html', mimetype: 'text/html' },
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

    it('requests with an Idempotency-Key import an uploaded course once', async () => {
      const headers = key();
      const upload = () => api().upload('/course.json', api().realm, coursePackage, headers);
      const first = await upload();
      expect(first.status).toBe(201);
      expect(await upload()).toMatchObject({ status: 201, text: first.text });
    });
  });
}
