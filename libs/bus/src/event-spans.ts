import type { EventContract } from '@registrar/contracts';
import { inSpan } from '@registrar/platform';
import type { EventOutcome } from './bus-metrics.ts';
import type { ArrivingEvent } from './event-message.ts';

// OpenTelemetry's semantic conventions for messages.

const messaging = (operation: 'send' | 'process', event: string) => ({
  'messaging.system': 'registrar',
  'messaging.operation.name': operation,
  'messaging.operation.type': operation,
  'messaging.destination.name': event,
});

/** Runs `publish` in the span of a batch of events that it writes to the outbox. */
export const inPublishSpan = <T>(
  contract: EventContract,
  count: number,
  publish: () => Promise<T>,
) =>
  inSpan(
    {
      name: `send ${contract.name}`,
      kind: 'producer',
      attributes: {
        ...messaging('send', contract.name),
        ...(count > 1 && { 'messaging.batch.message_count': count }),
      },
    },
    publish,
  );

/**
 * Runs `handle` in the span of an event's handler. The parent is the span that published the event,
 * so that a trace shows the effects of a request across contexts. The conventions require a link to
 * that span as well.
 */
export const inProcessSpan = (
  { name, messageId, trace }: ArrivingEvent,
  handle: () => Promise<EventOutcome>,
): Promise<EventOutcome> =>
  inSpan(
    {
      name: `process ${name}`,
      kind: 'consumer',
      attributes: { ...messaging('process', name), 'messaging.message.id': messageId },
      cause: trace ?? 'nowhere',
      linked: true,
    },
    async (span) => {
      const outcome = await handle();
      span.setAttribute('registrar.outcome', outcome);
      return outcome;
    },
  );
