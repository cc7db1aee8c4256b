import type { Logger } from '../logging.ts';

/**
 * Starts to send the traces of this process if OpenTelemetry's variables name a collector
 * (docs/operations.md, Tracing). Otherwise the SDK is not even loaded.
 *
 * @param app the service name, unless `OTEL_SERVICE_NAME` is set
 * @returns a function that sends the remaining spans, within a time limit, and stops tracing
 */
export async function startTracing(app: string, logger: Logger): Promise<() => Promise<void>> {
  if (!isTracingEnabled()) return async () => undefined;
  const { sendTraces } = await import('./send-traces.ts');
  return sendTraces(app, logger);
}

/** Whether OpenTelemetry's variables name a collector of this process. */
export const isTracingEnabled = ({ env: environment } = process): boolean =>
  Boolean(
    environment['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] || environment['OTEL_EXPORTER_OTLP_ENDPOINT'],
  ) &&
  environment['OTEL_SDK_DISABLED']?.toLowerCase() !== 'true' &&
  environment['OTEL_TRACES_EXPORTER'] !== 'none';
