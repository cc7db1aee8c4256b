import { beforeAll, describe, expect, it } from 'vitest';
import { createProviderApplication, createRealm, putApplication } from '@registrar/contracts';
import { sampleCourseNames, buildSamplePackage } from '@registrar/sample-courses';
import { type RunningSystem } from '@registrar/standalone/testing';
import { eventually, freePort } from '@registrar/testing';
import { Client, type Parameters } from '@registrar/conformance';
import { recordOf } from '@registrar/conformance';
import { OpenApiDocument } from './open-api-document.ts';
import { asOperator } from './operator.ts';

const course_guid = 'full';

/** Checks the documented responses that need a course provider that rejects requests or is unavailable. */
export function describeProviderErrors(running: () => RunningSystem): void {
  describe('the OpenAPI document and errors of the course provider', () => {
    const pair = { sc_app_id: 'full', sc_secret_key: 'secret-of-a-full-application' };
    let api: Client;
    let document: OpenApiDocument;
    let moveTo: (baseUrl: string) => Promise<unknown>;
    beforeAll(async () => {
      api = new Client(running().quickstart.base_url);
      document = await OpenApiDocument.read(api);
      const { sc_app_id: appId, sc_secret_key: secretKey } = pair;
      const account = { appId, name: 'Full', secretKey };
      const realmGuid = await asOperator(running(), async (bus) => {
        await bus.request(putApplication, { ...account, registrationLimit: 1 });
        return (await bus.request(createRealm, { name: 'Full' })).realmGuid;
      });
      moveTo = (baseUrl) =>
        asOperator(running(), (bus) =>
          bus.request(createProviderApplication, { ...account, realmGuid, baseUrl }),
        );
      await moveTo(running().providerUrl);
      const file = await buildSamplePackage(sampleCourseNames[0]);
      recordOf(await api.postMultipart('/course.json', { ...pair, course_guid }, file), 201);
      recordOf(await register('/registration.json'), 201);
    });

    const register = (path: string, more: Parameters = {}) => {
      const parameters = { ...pair, course_guid, learner_id: 'late@example.com', ...more };
      return path.includes('gcreate') ? api.get(path, parameters) : api.post(path, parameters);
    };
    const operations = () =>
      document.operations.filter(({ name }) => name === 'registration create');

    it('describes the body of 403 in every format', async () => {
      expect(operations()).toHaveLength(2);
      for (const { path, responses } of operations()) {
        for (const format of ['json', 'xml', 'csv']) {
          const answer = await register(path.replace('{format}', format));
          expect(answer.status).toBe(403);
          const described = responses['403']?.[answer.type ?? ''];
          const value: unknown = format === 'json' ? JSON.parse(answer.text) : answer.text;
          expect(described && document.fault(described.schema, value)).toBeNull();
        }
      }
    });

    it('describes 503 with Retry-After for an unavailable provider', async () => {
      await moveTo(`http://127.0.0.1:${await freePort()}`);
      for (const { path, responses } of operations()) {
        const answer = await eventually('the new address of the provider is in use', async () => {
          const response = await register(path.replace('{format}', 'json'));
          return response.status !== 403 && response;
        });
        expect({ status: answer.status, text: answer.text, type: answer.type }).toEqual({
          status: 503,
          text: '',
          type: null,
        });
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(responses).toHaveProperty('503');
      }
    });
  });
}
