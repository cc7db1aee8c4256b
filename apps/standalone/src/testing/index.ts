export * from './app-accounts.ts';
export * from './running-system.ts';
