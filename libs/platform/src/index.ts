export { accountOf, holderOf, type HoldingScope } from './accounts.ts';
export { activity, type Pace } from './activity.ts';
export { clock } from './clock.ts';
export * from './derived-id.ts';
export * from './describe-act.ts';
export * from './ends-within.ts';
export * from './exponential-delay.ts';
export * from './fair-queue.ts';
export * from './log-file.ts';
export * from './logging.ts';
export * from './periodic-task.ts';
export * from './places.ts';
export type { Account } from './queue-accounts.ts';
export * from './pretty-log.ts';
export * from './product-version.ts';
export * from './programming-error.ts';
export * from './request-context.ts';
export * from './runtime-checks.ts';
export * from './sampled-gauge.ts';
export * from './sealing.ts';
export * from './settings.ts';
export * from './shared-bucket.ts';
export {
  currentTraceContext,
  inSpan,
  isTraced,
  markSpanFailed,
  type TraceContext,
  traceContextSchema,
  tracer,
} from './tracing/spans.ts';
export * from './token-buckets.ts';
export * from './tracing/start-tracing.ts';
