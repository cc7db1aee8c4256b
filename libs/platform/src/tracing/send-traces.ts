import { clock } from '../clock.ts';
import { context, diag, DiagLogLevel, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import * as z from 'zod';
import { withDeadline } from '../request-context.ts';
import type { Logger } from '../logging.ts';
import { readSettings } from '../settings.ts';

/** The time limit for sending the remaining spans when the process stops: milliseconds. */
const shutdownTimeoutMs = 5_000;

/** OpenTelemetry's variables that the SDK's parts do not read themselves, with its defaults. */
const settings = z.object({
  OTEL_TRACES_SAMPLER: z
    .enum([
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ])
    .default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  OTEL_BSP_SCHEDULE_DELAY: z.coerce.number().int().min(0).default(5_000),
});

/** Sends the traces of this process by OTLP over HTTP, as JSON; see {@link startTracing}. */
export function sendTraces(app: string, logger: Logger): () => Promise<void> {
  const given = readSettings(settings);
  // The SDK's own messages about an unreachable collector may contain headers.
  const warn = () => logger.warn('spans could not be sent to the collector');
  diag.setLogger(
    { error: warn, warn, info: ignore, debug: ignore, verbose: ignore },
    DiagLogLevel.WARN,
  );
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.namespace': 'registrar',
      'service.name': app,
    }).merge(detectResources({ detectors: [envDetector] })),
    sampler: samplerOf(given),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter(),
        scheduledDelayMillis: given.OTEL_BSP_SCHEDULE_DELAY,
      }),
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  // Without baggage, which a client could fill with arbitrary data.
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  return () =>
    withDeadline(
      provider.shutdown(),
      clock.now() + shutdownTimeoutMs,
      'the sending of spans',
    ).catch(warn);
}

const ignore = (): void => undefined;

function samplerOf(given: z.output<typeof settings>): Sampler {
  const [, parentBased, name] = /^(parentbased_)?(.+)$/.exec(given.OTEL_TRACES_SAMPLER) ?? [];
  const root =
    name === 'traceidratio'
      ? new TraceIdRatioBasedSampler(given.OTEL_TRACES_SAMPLER_ARG)
      : name === 'always_off'
        ? new AlwaysOffSampler()
        : new AlwaysOnSampler();
  return parentBased ? new ParentBasedSampler({ root }) : root;
}
