export * from './running-system.ts';
