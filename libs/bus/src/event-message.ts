import { traceContextSchema } from '@registrar/platform';
import * as z from 'zod';

/** An event as its subscriber receives it. */
export const arrivingEvent = z.object({
  messageId: z.uuid(),
  name: z.string(),
  payload: z.unknown(),
  requestId: z.string(),
  /** The span that published the event. */
  trace: traceContextSchema.nullish(),
});
export type ArrivingEvent = Readonly<z.infer<typeof arrivingEvent>>;

/** The events of a message: one, or several in a list. */
export const arrivingEvents = z.union([
  z.array(arrivingEvent).min(1),
  arrivingEvent.transform((event) => [event]),
]);

/** An event in an outbox. */
export interface OutgoingEvent extends ArrivingEvent {
  /** The contexts that must handle it. */
  readonly subscribers: readonly string[];
  /** The apps that receive it as a broadcast. */
  readonly listeners: readonly string[];
}

/** Whether an app is the context that publishes an event. */
export const isPublishedBy = ({ name }: ArrivingEvent, app: string): boolean =>
  name.startsWith(`${app}.`);
