import { Failure } from '#libs/contracts';
import type { Logger } from '#libs/platform';
import { processing } from './bus-spans.ts';
import type { ArrivingEvent } from './inbox.ts';
import type { BusServer } from './strategy.ts';

/** Lets an app's listeners hear an event; their failure concerns nobody else. */
export async function broadcast(
  { server, logger }: { server: BusServer; logger: Logger },
  event: ArrivingEvent,
): Promise<void> {
  try {
    await processing(event, async () => {
      await server.handle(event);
      return 'handled';
    });
  } catch (error) {
    const reason = Failure.from(error).message;
    logger.error(
      { event: event.name, request_id: event.requestId, reason },
      'a broadcast could not be handled',
    );
  }
}
