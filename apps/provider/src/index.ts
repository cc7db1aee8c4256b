export * from './settings.ts';
export * from './start-provider.ts';
