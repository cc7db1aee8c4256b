export * from './quickstart.ts';
export * from './welcome.ts';
