import { type ConformanceCase, NotTried } from './conformance-case.ts';
import type { Installation } from './installation.ts';

/** What became of a case. */
export interface Result {
  readonly tried: ConformanceCase;
  readonly outcome: 'passed' | 'failed' | 'not tried';
  /** Why it failed or was not tried; empty for one that passed. */
  readonly reason: string;
}

/** Runs cases, a few at a time; the results are in the order of the cases. */
export async function runCases(
  cases: readonly ConformanceCase[],
  on: Installation,
  atOnce: number,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = cases.entries();
  const work = async () => {
    for (const [index, each] of waiting) results[index] = await runCase(each, on);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}

async function runCase(tried: ConformanceCase, on: Installation): Promise<Result> {
  try {
    await tried.run(on);
    return { tried, outcome: 'passed', reason: '' };
  } catch (error) {
    const outcome = error instanceof NotTried ? 'not tried' : 'failed';
    return { tried, outcome, reason: reasonOf(error) };
  }
}

/** The message, and that of what caused it: a lost connection says why only there. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return error.message + cause;
}
