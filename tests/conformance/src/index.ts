export * from './all-cases.ts';
export * from './checks.ts';
export * from './client.ts';
export type { ConformanceCase } from './conformance-case.ts';
export { buildDraftPackage } from './draft-package.ts';
export { fetchLaunch } from './fetch-launch.ts';
export * from './installation.ts';
export * from './readers.ts';
export * from './run-cases.ts';
