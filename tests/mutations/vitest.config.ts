import { defineConfig } from 'vitest/config';
import shared from '../../vitest.config.ts';
import { suites } from './suites.ts';

const { projects: _, coverage: __, ...test } = shared.test ?? {};

export default defineConfig({
  ...shared,
  // A mutant of what a module does when it is loaded needs modules that are loaded anew.
  test: { ...test, include: suites, isolate: true },
});
