import {
  type Attributes,
  context,
  type Context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { Failure, type FailureCode } from '@registrar/contracts';
import * as z from 'zod';

/** Creates no spans, at almost no cost, until tracing is started. */
export const tracer = trace.getTracer('registrar');

/** The context of a span as it is sent between processes (W3C Trace Context). */
export const traceContextSchema = z.object({
  traceparent: z.string(),
  tracestate: z.string().optional(),
});
export type TraceContext = Readonly<z.infer<typeof traceContextSchema>>;

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

/** The description of a span: names and numbers, never content. */
export interface SpanDescription {
  /** The name, as OpenTelemetry's semantic conventions define it for this kind of work. */
  readonly name: string;
  readonly kind: keyof typeof kinds;
  readonly attributes?: Attributes;
  /** The parent span: by default the current one; `nowhere` starts a trace. */
  readonly cause?: TraceContext | 'nowhere' | null | undefined;
  /** Whether the span also links to its parent, as the consumer of a message does. */
  readonly linked?: boolean;
}

/** Runs `work` in a new span, which records the code of a failure but not its message. */
export function inSpan<T>(
  { name, kind, attributes = {}, cause, linked = false }: SpanDescription,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const place = parentContext(cause);
  const linkedTo = linked ? trace.getSpanContext(place) : undefined;
  const options = { kind: kinds[kind], attributes, links: linkedTo ? [{ context: linkedTo }] : [] };
  return tracer.startActiveSpan(name, options, place, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      const { code } = Failure.from(error);
      if (faults.has(code)) markSpanFailed(span, code);
      else span.setAttribute('error.type', code);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Marks a span as failed, with the type of the failure. */
export function markSpanFailed(span: Span, type: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** The failures that are faults of the system; the others are regular responses. */
const faults: ReadonlySet<FailureCode> = new Set([
  'unavailable',
  'overloaded',
  'expired',
  'internal',
]);

function parentContext(cause: SpanDescription['cause']): Context {
  if (cause === 'nowhere') return ROOT_CONTEXT;
  return cause ? propagation.extract(ROOT_CONTEXT, cause) : context.active();
}

/** Whether the current span is recorded. */
export const isTraced = (): boolean => trace.getActiveSpan()?.isRecording() ?? false;

/** Returns the id of the current trace if it is recorded. */
export function currentTraceId(): string | undefined {
  const span = trace.getActiveSpan();
  return span?.isRecording() ? span.spanContext().traceId : undefined;
}

/** Returns the current trace context, for sending; undefined outside of a trace. */
export function currentTraceContext(): TraceContext | undefined {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return traceContextSchema.safeParse(carrier).data;
}
