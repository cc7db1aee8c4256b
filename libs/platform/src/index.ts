export * from './background-work.ts';
export * from './before-deadline.ts';
export * from './derived-id.ts';
export * from './logging.ts';
export * from './management/health.ts';
export * from './management/management-server.ts';
export * from './management/sampled-gauge.ts';
export * from './on-app-start.ts';
export * from './operation.ts';
export * from './pretty-log.ts';
export * from './process.ts';
export * from './sealing.ts';
export * from './settings.ts';
export {
  currentPlace,
  inSpan,
  isTraced,
  markFailed,
  tracePlace,
  type TracePlace,
} from './tracing/spans.ts';
export * from './tracing/start-tracing.ts';
export * from './tracing/trace-requests.ts';
