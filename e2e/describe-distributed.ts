import { describe, expect, it } from '@jest/globals';
import { brokerForTests, type RunningSystem, startDistributedSystem } from '#libs/testing';
import { crawlingOften } from './describe-system.ts';
import { useSystem } from './use-system.ts';

const broker = await brokerForTests();

/** A suite against the distributed form, left out where no RabbitMQ answers. */
export function describeDistributed(
  name: string,
  suite: (running: () => RunningSystem) => void,
): void {
  describe(name, () => {
    if (broker) suite(useSystem(() => startDistributedSystem(broker, crawlingOften)));
    else it('is left out where no RabbitMQ answers', () => expect(broker).toBeNull());
  });
}
