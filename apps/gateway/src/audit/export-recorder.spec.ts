import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Failure } from '@registrar/contracts';
import { eventually } from '@registrar/testing';
import { type GatewayFixture, sampleCourse, startGatewayFixture } from '../gateway.fixture.ts';

describe('exports', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => {
    gateway = await startGatewayFixture({ AUDIT_EXPORT_ROWS: '3' });
  });
  beforeEach(() => gateway.reset());
  afterAll(() => gateway.stop());

  /** Lists so many courses, in pages of two. */
  const list = async (count: number) => {
    gateway.contexts.courses = async ({ cursor }) => {
      const begin = Number(cursor ?? 0);
      const end = Math.min(begin + 2, count);
      const items = Array.from({ length: end - begin }, () => sampleCourse);
      return { items, next: end < count ? String(end) : null };
    };
    const response = await gateway.get('/course.json?api_key=key-of-realm');
    expect(await response.json()).toHaveLength(count);
    return response.headers.get('x-request-id');
  };
  const recorded = () => gateway.received('identity.record-export');

  it('beyond the limit are recorded once when the list has ended, shorter lists are not', async () => {
    await list(3);
    await list(5);
    await eventually('the export is recorded', () => recorded().length > 0);
    expect(recorded()).toEqual([
      {
        action: 'list.exported',
        actor: { kind: 'api_key', id: 11 },
        realmId: 1,
        clientAddress: '127.0.0.1',
        occurredAt: expect.any(String),
        subject: { operation: 'course index', rows: 5 },
      },
    ]);
  });

  it('are repeated until identity can be reached', async () => {
    gateway.contexts.record = () => Promise.reject(new Failure('unavailable', 'identity is down'));
    await list(4);
    await eventually('the export is reported', () => recorded().length > 0);
    gateway.contexts.record = async () => ({});
    const before = recorded().length;
    await eventually('it is reported again', () => recorded().length > before);
    expect(new Set(recorded().map((act) => JSON.stringify(act))).size).toBe(1);
  });
});
