export * from './answers.ts';
export * from './sample-package.ts';
