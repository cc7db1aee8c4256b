import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Client, recordOf, textOf } from '@registrar/conformance';
import { createProviderApplication, createRealm } from '@registrar/contracts';
import { type RunningSystem } from '@registrar/standalone/testing';
import { eventually, SimulatedProvider } from '@registrar/testing';
import { asOperator } from './operator.ts';

/**
 * Checks what clients see of a course provider that fails (contract/registrations#launch-503,
 * contract/registrations#provider-errors, contract/registrations#provider-success). The provider runs in the process of
 * the suite, which apps in containers do not reach.
 */
export function describeProviderFaults(running: () => RunningSystem): void {
  describe('a course provider that fails', () => {
    let provider: SimulatedProvider;
    let api: Client;
    let pair: { sc_app_id: string; sc_secret_key: string };
    let guid: string;

    const read = async (parameters: Record<string, string> = {}) => {
      const given = { ...pair, registration_guid: guid, ...parameters };
      const { text } = await api.get('/registration.json', given);
      const [record] = JSON.parse(text) as Record<string, unknown>[];
      return record;
    };
    const launch = (format: string) =>
      api.get(`/registration/${guid}/launch_url.${format}`, {
        ...pair,
        redirect_url: 'https://client.example/back',
      });

    beforeEach(async () => {
      provider = await SimulatedProvider.start();
      const account = provider.addAccount(`failing-${randomUUID()}`);
      account.addCourse('knots', 'Knots');
      const { appId, secretKey } = account;
      await asOperator(running(), async (bus) => {
        const { realmGuid } = await bus.request(createRealm, { name: 'A provider that fails' });
        const application = { name: 'Failing', baseUrl: provider.url, appId, secretKey };
        await bus.request(createProviderApplication, { realmGuid, ...application });
      });
      api = new Client(running().quickstart.base_url);
      pair = { sc_app_id: appId, sc_secret_key: secretKey };
      const course = { ...pair, course_guid: 'knots' };
      recordOf(await api.post('/course.json', course), 201);
      const learner_id = 'learner@example.com';
      const created = await api.post('/registration.json', { ...course, learner_id });
      guid = textOf(recordOf(created, 201), 'registration_guid');
    });
    afterEach(() => provider.stop());

    it('returns 503 with Retry-After for a launch that the course provider refuses with 400', async () => {
      provider.intercept = ({ path }) =>
        path.endsWith('/launchLink') ? { status: 400, body: { message: 'no' } } : undefined;
      for (const format of ['json', 'xml', 'csv']) {
        const { status, text, headers } = await launch(format);
        expect({ format, status, text }).toEqual({ format, status: 503, text: '' });
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      }
      expect(await read()).toMatchObject({ launched_at: null, provider_errcode: '400' });

      provider.intercept = () => undefined;
      expect(textOf(recordOf(await launch('json')), 'launch_url')).toContain(guid);
    });

    it('shows an error of the crawl in a registration whose provider rejects the secret', async () => {
      provider.intercept = () => ({ status: 401, body: { message: 'no' } });
      expect(await read({ crawl: 't' })).toMatchObject({
        crawl_status: 'error',
        crawl_error_msg: expect.any(String),
        provider_errcode: '401',
      });
    });

    it('shows an error of the crawl in a registration whose provider returns 503, until a crawl succeeds', async () => {
      provider.intercept = () => ({ status: 503, body: { message: 'no' } });
      const failed = await read({ crawl: 't' });
      expect(failed).toMatchObject({
        crawl_status: 'error',
        crawl_error_msg: expect.any(String),
        provider_errcode: '503',
      });
      const errors = Number(failed?.['number_of_crawl_errors']);
      expect(errors).toBeGreaterThan(0);

      provider.intercept = () => undefined;
      const crawled = await eventually('a crawl succeeds', async () => {
        const record = await read({ crawl: 't' });
        return record?.['crawl_status'] === 'success' && record;
      });
      expect(crawled).toMatchObject({ crawl_error_msg: null, provider_errcode: '503' });
      expect(Number(crawled['number_of_crawl_errors'])).toBeGreaterThanOrEqual(errors);
    });

    it('shows an error of the crawl in a registration whose provider is down', async () => {
      await provider.stop();
      provider = await SimulatedProvider.start();
      expect(await read({ crawl: 't' })).toMatchObject({
        crawl_status: 'error',
        provider_errcode: 'ECONNREFUSED',
      });
    });
  });
}
