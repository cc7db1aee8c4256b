import { readFileSync } from 'node:fs';
import process from 'node:process';
import { URL } from 'node:url';

const swc = JSON.parse(readFileSync(new URL('./.swcrc', import.meta.url), 'utf8'));
// Jest resolves the sources themselves, so their .ts import paths stay.
delete swc.$schema;
delete swc.jsc.rewriteRelativeImportExtensions;

/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  roots: [
    '<rootDir>/apps',
    '<rootDir>/libs',
    '<rootDir>/tests',
    '<rootDir>/k8s',
    '<rootDir>/benchmarks',
  ],
  // The nightly suites are those that take minutes: `npm run test:nightly`.
  testMatch: ['**/!(*.nightly).spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': ['@swc/jest', { ...swc, swcrc: false, sourceMaps: 'inline' }] },
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  globalSetup: '<rootDir>/libs/persistence/src/testing/jest-global-setup.ts',
  globalTeardown: '<rootDir>/libs/persistence/src/testing/jest-global-teardown.ts',
  // For each test and hook, where something hangs. Machines differ: no test asserts how long a thing takes.
  testTimeout: 300_000,
  testSequencer: '<rootDir>/libs/testing/src/suite-order.ts',
  // Counters in the transformed sources cost little; V8's own counting doubles the time of a run.
  coverageProvider: 'babel',
  coverageDirectory: '<rootDir>/coverage',
  coverageReporters: process.env.CI ? ['text-summary', 'json-summary'] : ['text-summary', 'lcov'],
  // Of the programs that suites start as processes of their own, nothing is counted.
  collectCoverageFrom: [
    '{apps,libs}/*/src/**/*.ts',
    '!**/*.{spec,fixture}.ts',
    '!**/src/testing/**',
    '!libs/testing/**',
    '!**/main.ts',
  ],
  // Suites wait for processes of their own: as many workers as cores would leave cores idle.
  maxWorkers: 3,
  // Each suite leaves its modules behind in its worker, and garbage collection takes ever longer.
  workerIdleMemoryLimit: '600MB',
};
