export * from './quickstart.ts';
