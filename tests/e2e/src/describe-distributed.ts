import { type RunningSystem, startDistributedSystem } from '@registrar/standalone/testing';
import { findBroker } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { frequentCrawls } from './describe-system.ts';
import { useSystem } from './use-system.ts';

const broker = await findBroker();

/** Declares a suite against the distributed form; skipped where no RabbitMQ answers. */
export function describeDistributed(
  title: string,
  suite: (running: () => RunningSystem) => void,
): void {
  describeWith(broker, title, (brokerUrl) => {
    suite(useSystem(() => startDistributedSystem(brokerUrl, frequentCrawls)));
  });
}
