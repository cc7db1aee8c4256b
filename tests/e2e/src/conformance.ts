import { beforeAll, describe, expect, it } from 'vitest';
import type { RunningSystem } from '@registrar/standalone/testing';
import {
  allCases,
  type ConformanceCase,
  Installation,
  type Result,
  runCases,
} from '@registrar/conformance';

const concurrency = 6;

/** Runs the conformance suite against any form of the system: one test for each case. */
export function describeConformance(
  running: () => RunningSystem,
  cases: readonly ConformanceCase[] = allCases,
): void {
  describe('the contract', () => {
    let results: readonly Result[];
    beforeAll(async () => {
      results = await runCases(cases, new Installation(running().quickstart), concurrency);
    });

    it.each(cases.map(({ name }, index) => ({ name, index })))('$name', ({ index }) => {
      const { outcome, reason } = results[index] ?? {};
      expect({ outcome, reason }).toEqual({ outcome: 'passed', reason: '' });
    });
  });
}
