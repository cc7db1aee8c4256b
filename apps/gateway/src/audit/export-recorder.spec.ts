import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Failure } from '@registrar/contracts';
import { eventually } from '@registrar/testing';
import { once } from 'node:events';
import { get } from 'node:http';
import { connect } from 'node:net';
import type { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { type GatewayFixture, sampleCourse, startGatewayFixture } from '../gateway.fixture.ts';
import { auditExportRows, ExportRecorder } from './export-recorder.ts';

describe('exports', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => {
    gateway = await startGatewayFixture();
  });
  beforeEach(() => gateway.reset());
  afterAll(() => gateway.stop());

  /** Lists so many courses, in pages of half of the rows that count as an export. */
  const list = async (count: number) => {
    gateway.contexts.courses = async ({ cursor }) => {
      const begin = Number(cursor ?? 0);
      const end = Math.min(begin + auditExportRows / 2, count);
      const items = Array.from({ length: end - begin }, () => sampleCourse);
      return { items, next: end < count ? String(end) : null };
    };
    const response = await gateway.get('/course.json?api_key=key-of-realm');
    expect(await response.json()).toHaveLength(count);
    return response.headers.get('x-request-id');
  };
  const recorded = () => gateway.received('identity.record-export');

  it('beyond the limit are recorded once when the list has ended, shorter lists are not', async () => {
    await list(auditExportRows);
    await list(auditExportRows + 2);
    await eventually('the export is recorded', () => recorded().length > 0);
    expect(recorded()).toEqual([
      {
        action: 'list.exported',
        actor: { kind: 'api_key', id: 11, applicationId: null },
        realmId: 1,
        clientAddress: '127.0.0.1',
        occurredAt: expect.any(String),
        subject: { operation: 'course index', rows: auditExportRows + 2 },
      },
    ]);
  });

  it('exports are each reported once when two rounds run at the same time', async () => {
    const gate = Promise.withResolvers<void>();
    gateway.contexts.record = async () => {
      await gate.promise;
      return {};
    };
    await list(auditExportRows + 1);
    await list(auditExportRows + 2);
    await eventually('a round is under way', () => recorded().length > 0);
    const report = gateway.app.get(ExportRecorder).report();
    gate.resolve();
    await report;
    const rows = recorded().map((act) => (act as { subject: { rows: number } }).subject.rows);
    expect(rows).toEqual([auditExportRows + 1, auditExportRows + 2]);
  });

  it('exports are recorded of lists that end while the gateway stops', async () => {
    const replica = await gateway.startReplica();
    const base = gateway.base.replace(gateway.app.url!, replica.url!);
    const lastPage = Promise.withResolvers<void>();
    gateway.contexts.courses = async ({ cursor }) => {
      if (cursor !== null) await lastPage.promise;
      const items = Array.from({ length: auditExportRows }, () => sampleCourse);
      return { items, next: cursor === null ? 'last' : null };
    };
    // On a connection of its own, which ends with the response.
    const request = get(`${base}/course.json?api_key=key-of-realm`, { agent: false });
    const listed = once(request, 'response').then(([response]) => json(response as Readable));
    await eventually(
      'the last page is asked for',
      () => gateway.received('catalog.index-courses').length > 1,
    );
    const stopped = replica.stop();
    await eventually('the HTTP server closes', async () => {
      const probe = connect(Number(new URL(base).port), '127.0.0.1');
      try {
        await once(probe, 'connect');
        return false;
      } catch {
        return true;
      } finally {
        probe.destroy();
      }
    });
    lastPage.resolve();
    expect(await listed).toHaveLength(2 * auditExportRows);
    await stopped;
    expect(recorded()).toMatchObject([{ subject: { rows: 2 * auditExportRows } }]);
  });

  it('exports are repeated until identity can be reached', async () => {
    gateway.contexts.record = () => Promise.reject(new Failure('unavailable', 'identity is down'));
    await list(auditExportRows + 1);
    await eventually('the export is reported', () => recorded().length > 0);
    gateway.contexts.record = async () => ({});
    const before = recorded().length;
    await eventually('it is reported again', () => recorded().length > before);
    expect(new Set(recorded().map((act) => JSON.stringify(act))).size).toBe(1);
  });
});
