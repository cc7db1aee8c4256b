import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import shared from '../../vitest.config.ts';
import { suites } from './suites.ts';

const { projects: _, coverage: __, ...test } = shared.test ?? {};

/** Runs the suites in the order of their list. */
class ListedOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const placeOf = ({ moduleId }: TestSpecification) =>
      suites.findIndex((glob) => path.matchesGlob(path.relative(root, moduleId), glob));
    return files.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

export default defineConfig({
  ...shared,
  test: {
    ...test,
    include: suites,
    sequence: { sequencer: ListedOrder },
    // A mutant of what a module does when it is loaded needs modules that are loaded anew.
    isolate: true,
  },
});
