import type { Logger } from '../logging.ts';

/**
 * Starts to send this process's traces, if the environment names a collector in OpenTelemetry's
 * own variables (docs/operations.md, Tracing). Without one, not even the SDK is loaded.
 *
 * @param app the name under which the collector knows the process, unless `OTEL_SERVICE_NAME` does
 * @returns sends what is left, as far as there is time for it, and ends
 */
export async function startTracing(app: string, logger: Logger): Promise<() => Promise<void>> {
  if (!isWanted(process.env)) return async () => undefined;
  const { sendTraces } = await import('./send-traces.ts');
  return sendTraces(app, logger);
}

const isWanted = (environment: NodeJS.ProcessEnv): boolean =>
  Boolean(
    environment['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] || environment['OTEL_EXPORTER_OTLP_ENDPOINT'],
  ) &&
  environment['OTEL_SDK_DISABLED']?.toLowerCase() !== 'true' &&
  environment['OTEL_TRACES_EXPORTER'] !== 'none';
