import type { ReplyOf } from '@registrar/bus';
import {
  type AuditEntry,
  type findRegistrationDetails,
  type ListedRegistrationRecord,
  timestamp,
} from '@registrar/contracts';
import * as z from 'zod';

/** Something that happened to a registration. */
export type TimelineItem = Readonly<{ at: string }> &
  (
    | { readonly kind: 'created' | 'created-at-provider' | 'launched' | 'launches-ended' }
    | { readonly kind: 'accessed' | 'completed' }
    | {
        readonly kind: 'crawled';
        readonly crawlType: string | null;
        readonly complete: string;
        readonly success: string;
        readonly score: number | null;
        readonly deleted: boolean;
      }
    | {
        readonly kind: 'crawl-failed';
        readonly code: string | null;
        readonly message: string;
        readonly failures: number;
      }
    | {
        readonly kind: 'act';
        readonly action: string;
        /** The kind of who acted, the id of the API key or provider application, and the name of the console's user. */
        readonly actor: string;
        readonly actorId: number | null;
        readonly actorName: string | null;
        readonly requestId: string;
      }
  );

/** The end of a page of a timeline: the time of its last act, and the place in the audit log after that. */
export const timelinePlace = z.object({ at: timestamp, cursor: z.string().max(512) });
export type TimelinePlace = z.infer<typeof timelinePlace>;

/**
 * What happened to a registration, the newest first: a page of acts, with what happened beside them. Of launches, results
 * and failures, each last one is kept.
 *
 * @param after the end of the page before; null on the first page
 */
export function timelinePage(
  record: ListedRegistrationRecord,
  { launches_ended_at }: Pick<ReplyOf<typeof findRegistrationDetails>, 'launches_ended_at'>,
  acts: { readonly items: readonly AuditEntry[]; readonly next: string | null },
  after: TimelinePlace | null,
): { readonly items: TimelineItem[]; readonly next: TimelinePlace | null } {
  const last = acts.items.at(-1);
  const next = acts.next !== null && last ? { at: last.occurred_at, cursor: acts.next } : null;
  const isOnPage = ({ at }: TimelineItem) =>
    (after === null || Date.parse(at) < Date.parse(after.at)) &&
    (next === null || Date.parse(at) >= Date.parse(next.at));
  const items = [
    ...[...happened(record, launches_ended_at)].filter(isOnPage),
    ...acts.items.map(toItem),
  ];
  return { items: items.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at)), next };
}

function* happened(
  record: ListedRegistrationRecord,
  launchesEndedAt: string | null,
): Iterable<TimelineItem> {
  const times = [
    ['created', record.created_at],
    ['created-at-provider', record.provider_created_at],
    ['launched', record.launched_at],
    ['launches-ended', launchesEndedAt],
    ['accessed', record.provider_accessed_at],
    ['completed', record.provider_completed_at],
  ] as const;
  for (const [kind, at] of times) if (at !== null) yield { kind, at };
  if (record.last_crawled_at !== null) {
    yield {
      kind: 'crawled',
      at: record.last_crawled_at,
      crawlType: record.crawl_type,
      complete: record.complete,
      success: record.success,
      score: record.score,
      deleted: record.deleted !== null,
    };
  }
  if (record.crawl_error_msg !== null) {
    yield {
      kind: 'crawl-failed',
      at: record.updated_at,
      code: record.provider_errcode,
      message: record.crawl_error_msg,
      failures: record.number_of_crawl_errors,
    };
  }
}

const toItem = (entry: AuditEntry): TimelineItem => ({
  kind: 'act',
  at: entry.occurred_at,
  action: entry.action,
  actor: entry.actor,
  actorId: entry.actor_id,
  actorName: entry.actor_name,
  requestId: entry.request_id,
});
