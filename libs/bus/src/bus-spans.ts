import type { EventContract, ListContract, RequestContract } from '#libs/contracts';
import { inSpan } from '#libs/platform';
import type { EventOutcome } from './bus-metrics.ts';
import type { RequestEnvelope } from './envelope.ts';
import type { ArrivingEvent } from './inbox.ts';

// OpenTelemetry's conventions for remote calls and for messaging: a request waits for its answer,
// an event for nobody.

const call = (name: string) => ({ 'rpc.system.name': 'registrar', 'rpc.method': name });

/** The span of a request, or of one page of a list, where it is asked. */
export const asking = <T>(contract: RequestContract | ListContract, ask: () => Promise<T>) =>
  inSpan({ name: contract.name, kind: 'client', attributes: call(contract.name) }, ask);

/** The span of a request where it is answered. */
export const answering = <T>(envelope: RequestEnvelope, answer: () => Promise<T>) =>
  inSpan(
    {
      name: envelope.name,
      kind: 'server',
      attributes: call(envelope.name),
      cause: envelope.trace,
    },
    answer,
  );

const messaging = (operation: 'send' | 'process', event: string) => ({
  'messaging.system': 'registrar',
  'messaging.operation.name': operation,
  'messaging.operation.type': operation,
  'messaging.destination.name': event,
});

/** The span of events that are written to the outbox together. */
export const publishing = <T>(contract: EventContract, count: number, publish: () => Promise<T>) =>
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
 * The span of an event's handler. Its parent is the span that published the event: a handler gets
 * one event at a time, so it has one cause, and the event's effects are found in the trace of what
 * caused it. The conventions want a link to the cause in any case.
 */
export const processing = (
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
