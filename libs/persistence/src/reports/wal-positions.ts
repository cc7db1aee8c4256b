import { maxAgeSeconds } from '@registrar/contracts';
import * as z from 'zod';
import { type Sql, sql } from '../sql.ts';

const maxAgeMs = maxAgeSeconds * 1_000;
/** A place that is noted sooner after another one is dropped: milliseconds. So the places are bounded. */
const minDistanceMs = 500;

/** Where a server is in the write-ahead log of a database. */
export const walPlace = z.object({
  /** Bytes since the beginning of the log; 0 if unknown. */
  position: z.number(),
  /** Equal on the primary of a database and on its standbys, which have followed its last failover. */
  history: z.string(),
  isStandby: z.boolean(),
});
export type WalPlace = z.output<typeof walPlace>;

/** A standby's control file has the timeline of its last restart point, or of what it has written since. */
const selectPlace = (position: Sql, timeline: Sql): Sql => sql`
  SELECT coalesce(pg_wal_lsn_diff(${position}, '0/0'), 0)::bigint AS position,
         concat_ws('/', (SELECT system_identifier FROM pg_control_system()),
                   (SELECT oid FROM pg_database WHERE datname = current_database()),
                   ${timeline}) AS history,
         pg_is_in_recovery() AS "isStandby"`;

/** SQL of the place up to which a primary has made its log durable: behind every commit. */
export const selectPrimaryPlace: Sql = selectPlace(
  sql`pg_current_wal_flush_lsn()`,
  sql`('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::integer`,
);

/** SQL of the place up to which a standby has replayed the log. Statements that follow see all of it. */
export const selectStandbyPlace: Sql = selectPlace(
  sql`pg_last_wal_replay_lsn()`,
  sql`(SELECT greatest(c.timeline_id, r.min_recovery_end_timeline)
       FROM pg_control_checkpoint() AS c, pg_control_recovery() AS r)`,
);

/**
 * The places of the primary within the last {@link maxAgeSeconds}, by which the age of a standby's data
 * follows. One clock measures it, that of this process; and a standby that is cut off from an idle primary
 * is not taken for one that is up to date.
 */
export class WalPositions {
  /** Oldest first. */
  #known: { readonly place: WalPlace; readonly at: number }[] = [];

  /** When the last place was noted, on the monotonic clock; -Infinity without one. */
  get lastAt(): number {
    return this.#known.at(-1)?.at ?? -Infinity;
  }

  /** @param at before the primary was asked: milliseconds of the monotonic clock */
  note(place: WalPlace, at: number): void {
    const isUseful = (earlier: WalPlace, earlierAt: number) =>
      earlier.history === place.history && at - earlierAt <= maxAgeMs;
    this.#known = this.#known.filter((earlier) => isUseful(earlier.place, earlier.at));
    if (at - this.lastAt >= minDistanceMs) this.#known.push({ place, at });
  }

  /** Whether a server is a standby of this database. */
  isStandby({ isStandby, history }: WalPlace): boolean {
    return isStandby && history === this.#known.at(-1)?.place.history;
  }

  /** How old the data of a standby at a place may be: milliseconds; null if that is too much or unknown. */
  ageMs({ position }: WalPlace, now: number): number | null {
    const reached = this.#known.findLast(({ place }) => place.position <= position);
    const ageMs = reached ? now - reached.at : Infinity;
    return ageMs <= maxAgeMs ? ageMs : null;
  }
}
