import { join } from 'node:path';
import process from 'node:process';
import { defaultServerConditions } from 'vite';
import { type TestUserConfig, defineConfig } from 'vitest/config';
import SuiteOrder from './vitest.suite-order.ts';

const project = (name: string, include: string[], exclude: string[] = []) => ({
  extends: true as const,
  test: {
    name,
    include,
    exclude: ['**/{node_modules,dist}/**', ...exclude],
  } satisfies TestUserConfig,
});
const nightly = '**/*.nightly.spec.ts';
const browser = '{apps,libs}/**/*.browser.spec.ts';

export default defineConfig({
  // Imports of types alone are not executed, as in the build by SWC.
  oxc: { typescript: { onlyRemoveTypeImports: false } },
  // Libraries export their sources under this condition, and their builds by default.
  ssr: { resolve: { conditions: ['source', ...defaultServerConditions] } },
  test: {
    projects: [
      project('suites', ['{apps,libs,tests,k8s,benchmarks}/**/*.spec.ts'], [nightly, browser]),
      // Suites of an app that run in Chromium, which takes longer than all of its others: not in `npm run test:affected`.
      project('browser', [browser]),
      // Suites that take minutes: `npm run test:nightly`.
      project('nightly', [nightly]),
      // Suites of programs, which give them a system: `npm run attack`, `npm run test:image`.
      project('access-matrix', ['tests/attack/src/access-matrix.suite.ts']),
      project('image', ['tests/image/src/{image,in-containers}.ts']),
    ],
    // Suites start hundreds of processes of the same modules.
    env: {
      NODE_COMPILE_CACHE:
        process.env['NODE_COMPILE_CACHE'] ??
        join(import.meta.dirname, 'node_modules/.cache/registrar-suites'),
    },
    setupFiles: ['libs/testing/src/reset-process.ts'],
    globalSetup: ['libs/persistence/src/testing/global-setup.ts'],
    // For each test and hook, where something hangs. Machines differ: no test asserts how long a thing takes.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    // A worker loads the modules of Nest and TypeORM once for all of its suites, which takes longer than most suites.
    isolate: false,
    // Suites wait for processes of their own: as many workers as cores would leave cores idle.
    maxWorkers: 3,
    sequence: { sequencer: SuiteOrder },
    coverage: {
      // Of the programs that suites start as processes of their own, nothing is counted.
      include: ['{apps,libs}/*/src/**/*.ts'],
      exclude: ['**/*.{spec,fixture}.ts', '**/src/testing/**', 'libs/testing/**', '**/main.ts'],
      reporter: process.env['CI'] ? ['text-summary', 'json-summary'] : ['text-summary', 'lcov'],
    },
  },
});
