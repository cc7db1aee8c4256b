import { beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningSystem } from '#libs/testing';
import { allCases } from '../conformance/all-cases.ts';
import { Installation } from '../conformance/installation.ts';
import { type Result, runCases } from '../conformance/run-cases.ts';

const atOnce = 6;

/** Holds any form of the system to the contract: one test for each case of the conformance suite. */
export function describeConformance(running: () => RunningSystem): void {
  describe('the contract', () => {
    let results: readonly Result[];
    beforeAll(async () => {
      results = await runCases(allCases, new Installation(running().quickstart), atOnce);
    }, 180_000);

    it.each(allCases.map(({ name }, index) => ({ name, index })))('$name', ({ index }) => {
      const { outcome, reason } = results[index] ?? {};
      expect({ outcome, reason }).toEqual({ outcome: 'passed', reason: '' });
    });
  });
}
