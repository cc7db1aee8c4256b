import { afterAll, beforeAll, describe } from 'vitest';
import { type BusSystem, startBusSystem } from './bus-system.fixture.ts';
import { describeEvents } from './events.fixture.ts';
import { describeIdempotency } from './idempotency.fixture.ts';
import { describeRequests } from './requests.fixture.ts';
import { describeShutdown } from './shutdown.fixture.ts';
import type { BusTransport } from './transport.ts';

/** The conformance suite that every transport of the bus must pass (docs/architecture.md). */
export function describeBus(name: string, connect: () => BusTransport): void {
  describe(`the bus over ${name}`, () => {
    let system: BusSystem;
    beforeAll(async () => {
      system = await startBusSystem(connect());
    });
    afterAll(() => system.stopAll());

    describeRequests(() => system);
    describe('idempotency', () => describeIdempotency(() => system));
    describeEvents(() => system);
    describeShutdown(() => system);
  });
}
