import type { Findings, Ledger } from '@registrar/chaos';

/** What clients noticed of one step of a rehearsal. */
export interface StepResult {
  readonly name: string;
  readonly seconds: number;
  readonly acknowledged: number;
  /** Failed requests, each with its operation and what failed. */
  readonly failed: readonly string[];
  /** The longest time in which no request succeeded: milliseconds. */
  readonly longestGapMs: number;
  /** Of each change of the broker, the time between the first and the last failed request after it: milliseconds. */
  readonly errorsLastedMs: readonly number[];
  /** Acknowledged writes that are missing, were made twice or were oversold. */
  readonly violations: readonly string[];
}

/** The entries of a ledger since a moment; its errors are removed. */
export function takeResult(
  ledger: Ledger,
  name: string,
  { begunAt, endedAt }: { readonly begunAt: number; readonly endedAt: number },
): Omit<StepResult, 'violations' | 'errorsLastedMs'> {
  const acknowledged = ledger.acknowledgedAt.filter((at) => at >= begunAt && at <= endedAt);
  const times = [begunAt, ...acknowledged, endedAt];
  return {
    name,
    seconds: (endedAt - begunAt) / 1_000,
    acknowledged: acknowledged.length,
    failed: ledger.takeErrors(),
    longestGapMs: Math.max(...times.slice(1).map((at, place) => at - (times[place] ?? at))),
  };
}

/** Everything that must not be, whatever happened. */
export const violationsOf = (findings: Findings): string[] =>
  Object.values(findings).flatMap((found: readonly string[]) => found);
