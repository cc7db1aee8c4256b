import { startDistributedSystem, type StartedSystem } from '@registrar/standalone/testing';
import { findBroker, highRequestLimits } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { frequentCrawls } from './describe-system.ts';
import { useSystem } from './use-system.ts';

const broker = await findBroker();

/** The heap that V8 chooses in a container of 512 MiB, as in docker-compose.yml and k8s/base. */
const containerHeap = '--max-old-space-size=256';

/** Declares a suite against the distributed form; skipped where no RabbitMQ answers. */
export function describeDistributed(
  title: string,
  suite: (running: () => StartedSystem) => void,
): void {
  describeWith(broker, title, (brokerUrl) => {
    suite(
      useSystem(() =>
        startDistributedSystem(brokerUrl, {
          ...frequentCrawls,
          ...highRequestLimits,
          NODE_OPTIONS: containerHeap,
          // Every app chooses a free port and logs it.
          MANAGEMENT_PORT: '0',
        }),
      ),
    );
  });
}
