import { readFileSync } from 'node:fs';
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
    '<rootDir>/conformance',
    '<rootDir>/models',
    '<rootDir>/e2e',
    '<rootDir>/k8s',
  ],
  testMatch: ['**/*.spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': ['@swc/jest', { ...swc, swcrc: false, sourceMaps: 'inline' }] },
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  globalSetup: '<rootDir>/libs/testing/src/global-setup.ts',
  globalTeardown: '<rootDir>/libs/testing/src/global-teardown.ts',
  testTimeout: 30_000,
  testSequencer: '<rootDir>/libs/testing/src/suite-order.ts',
  // Suites wait for processes of their own: as many workers as cores would leave cores idle.
  maxWorkers: 3,
};
