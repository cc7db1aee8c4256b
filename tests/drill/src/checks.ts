import { archiveTimeoutSeconds } from './archived-postgres.ts';
import type { DrillResult } from './run-drill.ts';
import { seconds } from './steps.ts';

/** A promise of docs/reliability.md and what the drill saw of it. */
export interface Check {
  readonly promise: string;
  readonly kept: boolean;
  readonly seen: string;
}

/** Time for the upload of a segment beyond the time until it is closed, in milliseconds. */
const uploadAllowanceMs = 15_000;

/** Compares the result of a drill with what is promised. */
export function checksOf(result: DrillResult): Check[] {
  const { findings, providerOnly, adopted, lostMs } = result;
  const none = (what: string, found: readonly string[]): Check => ({
    promise: `no ${what}`,
    kept: found.length === 0,
    seen: found.length === 0 ? '0' : `${found.length}: ${found.slice(0, 5).join('; ')}`,
  });
  const atLeastOne = (what: string, count: number): Check => ({
    promise: `at least one ${what}, or the drill shows nothing`,
    kept: count > 0,
    seen: String(count),
  });
  const unlisted = [...providerOnly].filter((guid) => !adopted.has(guid));
  const listedWrongly = [...adopted].filter((guid) => !providerOnly.has(guid));
  return [
    atLeastOne('acknowledged operation before the moment', result.before.totalAcknowledged),
    atLeastOne('acknowledged operation after the moment', result.after.totalAcknowledged),
    atLeastOne('event from after the moment in the broker', result.eventsDropped),
    atLeastOne('registration at the provider alone', providerOnly.size),
    none(
      'registration, API key, license, seat or attempt from before the moment lost',
      findings.lost,
    ),
    none('duplicate', findings.duplicated),
    none('seat oversold or lost', findings.oversold),
    none('event unsent or parked', findings.unsent),
    none('result older than the provider’s', findings.stale),
    none('registration at the provider alone that `crawl adopted` does not list', unlisted),
    none('other registration that it lists', listedWrongly),
    {
      promise: 'keys from before the moment work, later ones do not',
      kept: result.keyBefore === 200 && result.keyAfter === 401,
      seen: `${result.keyBefore}, ${result.keyAfter}`,
    },
    {
      promise: `at most archive_timeout (${archiveTimeoutSeconds} s) and an upload are lost with the volume`,
      kept: lostMs < archiveTimeoutSeconds * 1_000 + uploadAllowanceMs,
      seen: seconds(lostMs),
    },
  ];
}
