import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  brokerForTests,
  type StartedSystem,
  startDistributedSystem,
  startStandaloneSystem,
  startTraceCollector,
  type TraceCollector,
} from '#libs/testing';
import { readFileSync } from 'node:fs';
import { crawlingOften } from './describe-system.ts';
import { describeDocumentedMetrics } from './documented-metrics.ts';
import { describeTraces } from './traces.ts';
import { describeUntoldSecrets } from './untold-secrets.ts';

const broker = await brokerForTests();

/** The variables of OpenTelemetry that docker-compose.yml hands on where they are not set. */
const handedOnEmpty = Object.fromEntries(
  [...readFileSync('docker-compose.yml', 'utf8').matchAll(/^ +(OTEL_\w+): \$\{\1:-\}$/gm)].map(
    ([, name = '']) => [name, ''] as const,
  ),
);

/** What operators see of a system that is used: its traces, its metrics and its log. */
function describeObservation(
  form: string,
  start: (settings: Record<string, string>) => Promise<StartedSystem>,
): void {
  describe(form, () => {
    let collector: TraceCollector;
    let system: StartedSystem;
    beforeAll(async () => {
      collector = await startTraceCollector();
      system = await start({
        ...crawlingOften,
        ...handedOnEmpty,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_BSP_SCHEDULE_DELAY: '100',
        // Every app finds a free port, and tells it in the log.
        MANAGEMENT_PORT: '0',
      });
    }, 60_000);
    afterAll(async () => {
      await system.dispose();
      await collector.close();
    }, 60_000);

    describeTraces(
      () => system,
      () => collector,
    );
    describeDocumentedMetrics(() => system);
    // The last: it stops the system.
    describeUntoldSecrets(
      () => system,
      () => collector,
    );
  });
}

describeObservation('the standalone system, observed', startStandaloneSystem);
if (broker) {
  describeObservation('the distributed system, observed', (settings) =>
    startDistributedSystem(broker, settings),
  );
} else
  it('leaves out the distributed system where no RabbitMQ answers', () =>
    expect(broker).toBeNull());
