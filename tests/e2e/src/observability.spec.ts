import { afterAll, beforeAll, describe } from 'vitest';
import {
  type StartedSystem,
  startDistributedSystem,
  startStandaloneSystem,
} from '@registrar/standalone/testing';
import { findBroker, startTraceCollector, type TraceCollector } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { readFileSync } from 'node:fs';
import { frequentCrawls } from './describe-system.ts';
import { describeDocumentedMetrics } from './documented-metrics.ts';
import { describeTraces } from './traces.ts';
import { describeSecretRedaction } from './secret-redaction.ts';

/** The OpenTelemetry variables that docker-compose.yml passes on as empty when they are not set. */
const emptyOpenTelemetrySettings = Object.fromEntries(
  [...readFileSync('docker-compose.yml', 'utf8').matchAll(/^ +(OTEL_\w+): \$\{\1:-\}$/gm)].map(
    ([, name = '']) => [name, ''] as const,
  ),
);

/** Checks traces, metrics and logs of a system in use. */
function describeObservability(
  form: string,
  start: (settings: Record<string, string>) => Promise<StartedSystem>,
): void {
  describe(form, () => {
    let collector: TraceCollector;
    let system: StartedSystem;
    beforeAll(async () => {
      collector = await startTraceCollector();
      system = await start({
        ...frequentCrawls,
        ...emptyOpenTelemetrySettings,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_BSP_SCHEDULE_DELAY: '100',
        // Every app chooses a free port and logs it.
        MANAGEMENT_PORT: '0',
      });
    });
    afterAll(async () => {
      await system.dispose();
      await collector.close();
    });

    describeTraces(
      () => system,
      () => collector,
    );
    describeDocumentedMetrics(() => system);
    // Last, because it stops the system.
    describeSecretRedaction(
      () => system,
      () => collector,
    );
  });
}

describeObservability('the observability of the standalone system', startStandaloneSystem);
describeWith(await findBroker(), 'over RabbitMQ', (broker) => {
  describeObservability('the observability of the distributed system', (settings) =>
    startDistributedSystem(broker, settings),
  );
});
