import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reportDemand } from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import { randomUUID } from 'node:crypto';
import { type IdentityFixture, startIdentityFixture } from '../identity.fixture.ts';
import { GatewayDemand } from './gateway-demand.entity.ts';
import { ReportDemand } from './report-demand.ts';

describe('the demand that gateways report', () => {
  let identity: IdentityFixture;

  beforeAll(async () => {
    identity = await startIdentityFixture();
  });
  afterAll(() => identity.stop());

  const report = (gateway: string, demand: Record<string, number>) =>
    identity.bus.request(reportDemand, {
      gateway,
      demand: Object.entries(demand).map(([account, requestsPerSecond]) => ({
        account,
        requestsPerSecond,
      })),
    });
  const age = (interval: string) =>
    identity.database.execute(
      sql`UPDATE gateway_demand SET reported_at = reported_at - ${interval}::interval`,
    );

  it('is told to the other gateways, summed, while it is recent', async () => {
    const [one, two, three] = [randomUUID(), randomUUID(), randomUUID()];
    expect(await report(one, { 'realm 1': 40, 'realm 2': 1 })).toEqual({ others: [] });
    expect(await report(two, { 'realm 1': 20 })).toEqual({
      others: [{ account: 'realm 1', requestsPerSecond: 40 }],
    });
    await report(one, { 'realm 1': 10 });
    expect(await report(three, { 'realm 1': 0, 'realm 3': 5 })).toEqual({
      others: [{ account: 'realm 1', requestsPerSecond: 30 }],
    });
    await age('3 seconds');
    expect(await report(three, { 'realm 1': 1 })).toEqual({ others: [] });
  });

  it('is deleted when it no longer counts', async () => {
    const gateway = randomUUID();
    await report(gateway, { 'realm 7': 1 });
    await age('11 seconds');
    await report(gateway, { 'realm 8': 1 });
    await new ReportDemand(identity.database).prune();
    expect(await identity.repository(GatewayDemand).findBy({ gateway })).toEqual([
      expect.objectContaining({ account: 'realm 8' }),
    ]);
  });
});
