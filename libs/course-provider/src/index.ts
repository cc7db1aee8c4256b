export * from './call-limits.ts';
export * from './connect-course-provider.ts';
export * from './course-provider-directory.ts';
export * from './course-provider-error.ts';
export * from './course-provider.ts';
export * from './invalidate-course-providers.handler.ts';
export * from './postback-url.ts';
export * from './provide-course-provider-directory.ts';
export { retryDelay } from './retry-delay.ts';
