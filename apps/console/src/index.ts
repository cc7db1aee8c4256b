export * from './settings.ts';
export { createSignInLink, startConsole } from './start-console.ts';
