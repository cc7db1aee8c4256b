import type { BusClient } from '@registrar/bus';
import {
  type AuditAction,
  auditActions,
  type AuditEntry,
  guid,
  listAuditEntries,
} from '@registrar/contracts';
import { clock, runInRequestContext } from '@registrar/platform';
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { argumentOf, idArgument, timeArgument } from './arguments.ts';
import { addCommand, type OperatorCommand } from './command.ts';
import type { Columns, Items } from './output.ts';

interface Options {
  readonly realm?: string;
  readonly since?: string;
  readonly until?: string;
  readonly action?: AuditAction;
  readonly key?: number;
  readonly follow?: true;
}

/** `registrar audit`: the audit log. */
export function addAuditCommand(program: OperatorCommand): void {
  addCommand(program, 'audit', {
    description: 'list who did what, newest last; with --json one JSON object per line',
    examples: [
      'audit --since 7d',
      'audit --realm 3fe5e9b6-… --action api-key.created',
      'audit --follow --json >> audit.jsonl',
    ],
  })
    .option('--realm <guid>', 'only what concerns this realm', argumentOf(guid))
    .option(
      '--since <time>',
      'from then on: 2026-11-01, 2026-11-01T08:00:00Z, or 7d, 12h, 30m',
      timeArgument,
    )
    .option('--until <time>', 'before then', timeArgument)
    .option('--action <name>', 'only acts of this kind', argumentOf(z.enum(auditActions)))
    .option('--key <id>', 'only what this API key did, and what was done to it', idArgument)
    .option('--follow', 'go on with new entries until interrupted')
    .handle(async ({ output, ask }, options: Options) => {
      await ask((bus) => output.lines(entries(bus, options), columns));
    });
}

const columns: Columns<AuditEntry> = {
  time: (entry) => entry.occurred_at,
  realm: (entry) => entry.realm_guid,
  actor: ({ actor, actor_id: id, actor_name: name }) => [actor, id ?? name].join(' ').trim(),
  address: (entry) => entry.client_address,
  action: (entry) => entry.action,
  subject: (entry) => entry.subject,
};

async function* entries(bus: BusClient, options: Options): AsyncIterable<Items<AuditEntry>> {
  const filters = {
    realmGuid: options.realm ?? null,
    since: options.since ?? null,
    until: options.until ?? null,
    action: options.action ?? null,
    apiKeyId: options.key ?? null,
  };
  const read = (afterId: number | null) =>
    withDeadlines(bus.pages(listAuditEntries, { ...filters, afterId }));
  if (!options.follow) {
    yield* read(null);
    return;
  }
  const known = new KnownEntries();
  for (;;) {
    for await (const { items } of read(known.settledId)) yield { items: known.add(items) };
    await clock.sleep(pollMs);
  }
}

const pollMs = 2_000;
const pageTimeoutMs = 60_000;

/** Reads pages with a deadline of each, since there may be any number of them. */
async function* withDeadlines<Page>(pages: AsyncIterable<Page>): AsyncIterable<Page> {
  const iterator = pages[Symbol.asyncIterator]();
  const requestId = randomUUID();
  for (;;) {
    const context = { requestId, deadline: clock.now() + pageTimeoutMs };
    const step = await runInRequestContext(context, () => iterator.next());
    if (step.done) return;
    yield step.value;
  }
}

/** The time for which an entry may become visible after one with a higher id: transactions overlap. */
const settleMs = 60_000;

/** The entries that a follower has printed. */
class KnownEntries {
  /** When the youngest ids were first seen, in the order of that time. */
  readonly #recent = new Map<number, number>();
  /** No entry with this or a lower id is still to come. */
  settledId = 0;

  /** @returns the entries that are new */
  add(page: readonly AuditEntry[]): AuditEntry[] {
    const now = clock.now();
    for (const [id, seenAt] of this.#recent) {
      if (seenAt > now - settleMs) break;
      this.#recent.delete(id);
      this.settledId = Math.max(this.settledId, id);
    }
    const fresh = page.filter(({ id }) => id > this.settledId && !this.#recent.has(id));
    for (const { id } of fresh) this.#recent.set(id, now);
    return fresh;
  }
}
