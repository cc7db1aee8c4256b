export * from './hostile-courses.ts';
