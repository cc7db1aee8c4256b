export * from './settings.ts';
export * from './start-standalone.ts';
