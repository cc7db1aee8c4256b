import { afterAll, beforeAll, describe } from '@jest/globals';
import { type BusSystem, startBusSystem } from './bus-system.fixture.ts';
import { describeEvents } from './events.fixture.ts';
import { describeRepetition } from './repetition.fixture.ts';
import { describeRequests } from './requests.fixture.ts';
import { describeStop } from './stop.fixture.ts';
import type { BusTransport } from './transport.ts';

/** What every transport of the bus must do before it carries anything (docs/architecture.md). */
export function describeBus(name: string, connect: () => BusTransport): void {
  describe(`the bus over ${name}`, () => {
    let system: BusSystem;
    beforeAll(async () => {
      system = await startBusSystem(connect());
    });
    afterAll(() => system.stopAll());

    describeRequests(() => system);
    describe('repetitions', () => describeRepetition(() => system));
    describeEvents(() => system);
    describeStop(() => system);
  });
}
