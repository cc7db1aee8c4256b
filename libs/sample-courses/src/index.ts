export * from './quiz-answers.ts';
export * from './build-sample-package.ts';
