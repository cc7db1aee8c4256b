export * from './background-work.ts';
export * from './logging.ts';
export * from './operation.ts';
export * from './pretty-log.ts';
export * from './process.ts';
export * from './sealing.ts';
export * from './settings.ts';
