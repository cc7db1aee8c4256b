export * from './hostile-courses.ts';
export { makeManifest, makeZip } from './make-package.ts';
