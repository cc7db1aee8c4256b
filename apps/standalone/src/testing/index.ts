export { openCrawlImport } from '@registrar/enrolment/testing';
export * from './app-accounts.ts';
export * from './running-system.ts';
export * from './sign-in-to-console.ts';
