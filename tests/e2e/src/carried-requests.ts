import { expect, it } from 'vitest';
import * as contracts from '@registrar/contracts';
import type { ListContract, RequestContract } from '@registrar/contracts';
import type { RunningSystem } from '@registrar/standalone/testing';
import { managementUrls, scrapeMetrics } from '@registrar/testing';

type Request = RequestContract | ListContract;

/** What other suites send over RabbitMQ: postbacks of played courses, and lists beyond the size that is recorded. */
const carriedElsewhere: Readonly<Record<string, string>> = {
  'crawler.bring-forward': 'least-privilege.spec.ts',
  'identity.find-postback-access': 'least-privilege.spec.ts',
  'identity.record-export': 'distributed-scale.nightly.spec.ts',
};

/** Every request that the gateway may send. */
const gatewayRequests = Object.values(contracts as Readonly<Record<string, unknown>>).filter(
  (each): each is Request => {
    const { kind, callers } = (each ?? {}) as Partial<Request>;
    return (kind === 'request' || kind === 'list') && callers?.includes('gateway') === true;
  },
);

/**
 * Checks that the cases that ran before have sent every request of the gateway, so that none of
 * them is tried over the in-process bus alone.
 */
export function describeCarriedRequests(running: () => RunningSystem): void {
  it('every request of the gateway has been handled over RabbitMQ', async () => {
    const metrics = await Promise.all(
      [...(await managementUrls(running())).values()].map((managementUrl) =>
        scrapeMetrics({ managementUrl }),
      ),
    );
    const handled = (request: string) =>
      metrics.some(({ sum }) => sum('registrar_bus_handler_seconds_count', { request }) > 0);
    expect(gatewayRequests).not.toHaveLength(0);
    const missing = gatewayRequests.map(({ name }) => name).filter((name) => !handled(name));
    expect(missing.filter((name) => !(name in carriedElsewhere))).toEqual([]);
  });
}
