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
import { Failure, type FailureCode } from '#libs/contracts';
import * as z from 'zod';

/** Makes no spans, at next to no cost, until tracing is started. */
export const tracer = trace.getTracer('registrar');

/** A place in a trace as it travels between processes (W3C Trace Context). */
export const tracePlace = z.object({ traceparent: z.string(), tracestate: z.string().optional() });
export type TracePlace = Readonly<z.infer<typeof tracePlace>>;

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

/** What a span says of the work that it stands for: names and numbers, never what was sent. */
export interface SpanDescription {
  /** As OpenTelemetry's semantic conventions want it for this kind of work. */
  readonly name: string;
  readonly kind: keyof typeof kinds;
  readonly attributes?: Attributes;
  /** Where the work was caused, if elsewhere; `nowhere` begins a trace. By default, here. */
  readonly cause?: TracePlace | 'nowhere' | null | undefined;
  /** Whether the cause is linked to as well, as a message's consumer does. */
  readonly linked?: boolean;
}

/** Does `work` within a span of its own, which says whether it failed but not in which words. */
export function inSpan<T>(
  { name, kind, attributes = {}, cause, linked = false }: SpanDescription,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const place = placeOf(cause);
  const linkedTo = linked ? trace.getSpanContext(place) : undefined;
  const options = { kind: kinds[kind], attributes, links: linkedTo ? [{ context: linkedTo }] : [] };
  return tracer.startActiveSpan(name, options, place, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      const { code } = Failure.from(error);
      if (faults.has(code)) markFailed(span, code);
      else span.setAttribute('error.type', code);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Says that the work of a span failed, and by which kind of failure. */
export function markFailed(span: Span, type: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** The failures that are ours; the others answer what was asked. */
const faults: ReadonlySet<FailureCode> = new Set([
  'unavailable',
  'overloaded',
  'expired',
  'internal',
]);

function placeOf(cause: SpanDescription['cause']): Context {
  if (cause === 'nowhere') return ROOT_CONTEXT;
  return cause ? propagation.extract(ROOT_CONTEXT, cause) : context.active();
}

/** Whether the current code works within a span that is kept. */
export const isTraced = (): boolean => trace.getActiveSpan()?.isRecording() ?? false;

/** Names the trace that the current code works in, if it is kept. */
export function currentTraceId(): string | undefined {
  const span = trace.getActiveSpan();
  return span?.isRecording() ? span.spanContext().traceId : undefined;
}

/** The current place in a trace, to be sent along; nothing outside of any trace. */
export function currentPlace(): TracePlace | undefined {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return tracePlace.safeParse(carrier).data;
}
