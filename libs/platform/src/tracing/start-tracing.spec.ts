import { afterEach, describe, expect, it } from 'vitest';
import { trace } from '@opentelemetry/api';
import { createLogger } from '../logging.ts';
import { startTracing } from './start-tracing.ts';

const address = 'OTEL_EXPORTER_OTLP_ENDPOINT';

describe('tracing', () => {
  const given = process.env[address];
  afterEach(() => {
    if (given === undefined) delete process.env[address];
    else process.env[address] = given;
  });

  it('tracing is off when the address of the collector is empty', async () => {
    process.env[address] = '';
    const end = await startTracing('suite', createLogger('suite', 'silent'));
    expect(trace.getTracer('suite').startSpan('work').isRecording()).toBe(false);
    await end();
  });
});
