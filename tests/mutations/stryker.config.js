import { guards } from './suites.ts';

/** Mutation testing of what keeps tenants apart: tests/mutations/README.md. */
export default {
  mutate: guards,
  testRunner: 'vitest',
  vitest: { configFile: 'tests/mutations/vitest.config.ts', pool: 'forks' },
  plugins: ['@stryker-mutator/vitest-runner', './tests/mutations/ignore-messages.js'],
  ignorers: ['messages'],
  // Below 100 % a mutant has survived that no comment in the code explains.
  thresholds: { high: 100, low: 100, break: 100 },
  concurrency: 2,
  timeoutMS: 10_000,
  dryRunTimeoutMinutes: 15,
  tempDirName: 'var/mutations',
  ignorePatterns: ['/var', '/coverage', '/.nx', '/benchmarks', '/k8s'],
  symlinkNodeModules: false,
  buildCommand: 'sh tests/mutations/link-packages',
  // Vitest checks no types.
  disableTypeChecks: false,
  reporters: ['clear-text', 'json', 'progress-append-only'],
  jsonReporter: { fileName: 'var/mutations.json' },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
};
