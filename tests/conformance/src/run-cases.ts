import { type ConformanceCase, SkippedCase } from './conformance-case.ts';
import type { Installation } from './installation.ts';

/** The result of one case. */
export interface Result {
  readonly testCase: ConformanceCase;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** Why the case failed or was skipped; empty when it passed. */
  readonly reason: string;
}

/** Runs the cases, `concurrency` at a time. The results are in the order of the cases. */
export async function runCases(
  cases: readonly ConformanceCase[],
  target: Installation,
  concurrency: number,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = cases.entries();
  const work = async () => {
    for (const [index, each] of queue) results[index] = await runCase(each, target);
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return results;
}

async function runCase(testCase: ConformanceCase, target: Installation): Promise<Result> {
  try {
    await testCase.run(target);
    return { testCase, outcome: 'passed', reason: '' };
  } catch (error) {
    const outcome = error instanceof SkippedCase ? 'skipped' : 'failed';
    return { testCase, outcome, reason: reasonOf(error) };
  }
}

/** The error's message, and that of its cause: fetch states only there why a connection failed. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return error.message + cause;
}
