import type { Database } from '#libs/persistence';
import { beforeDeadline, runOperation, tracePlace } from '#libs/platform';
import * as z from 'zod';
import type { EventOutcome } from './bus-metrics.ts';
import { processing } from './bus-spans.ts';
import { forget } from './forget.ts';
import type { BusServer } from './strategy.ts';

/** An event as it arrives. */
export const arrivingEvent = z.object({
  messageId: z.uuid(),
  name: z.string(),
  payload: z.unknown(),
  requestId: z.string(),
  /** The span that published it. */
  trace: tracePlace.nullish(),
});
export type ArrivingEvent = Readonly<z.infer<typeof arrivingEvent>>;

/** An event as it leaves an outbox. */
export interface OutgoingEvent extends ArrivingEvent {
  /** The contexts that must handle it. */
  readonly subscribers: readonly string[];
}

/** How long the handling of an event may take: milliseconds. */
export const handlingTime = 30_000;

/** How long the inbox remembers; longer than any event can be on its way: days. */
const memory = 14;

/** Handles an event in one transaction with its inbox row; one that was handled before is passed over. */
export async function handleOnce(
  database: Database,
  server: BusServer,
  event: ArrivingEvent,
): Promise<void> {
  const operation = { requestId: event.requestId, deadline: Date.now() + handlingTime };
  let outcome: EventOutcome = 'failed';
  try {
    outcome = await runOperation(operation, () =>
      processing(event, () =>
        database.transaction(async () => {
          const [noted] = await database.query(
            'INSERT INTO inbox (message_id) VALUES ($1) ON CONFLICT DO NOTHING RETURNING message_id',
            [event.messageId],
          );
          if (!noted) return 'duplicate';
          await beforeDeadline(server.handle(event), operation.deadline, event.name);
          return 'handled';
        }),
      ),
    );
  } finally {
    server.metrics.arrived(event.name, outcome);
  }
}

/** Forgets events that were handled long ago. */
export const pruneInbox = (database: Database): Promise<boolean> =>
  forget(database, `inbox WHERE handled_at < now() - interval '${memory} days'`);
