export * from './open-crawl-import.ts';
