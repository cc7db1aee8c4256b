export * from './connect-course-provider.ts';
export * from './course-provider.ts';
export * from './course-provider-directory.ts';
export * from './course-provider-error.ts';
export * from './course-providers-module.ts';
export { retryDelay } from './retries.ts';
