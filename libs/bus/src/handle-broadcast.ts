import { Failure } from '@registrar/contracts';
import type { Logger } from '@registrar/platform';
import { inProcessSpan } from './event-spans.ts';
import type { ArrivingEvent } from './event-message.ts';
import type { BusServer } from './bus-server.ts';

/** Calls an app's broadcast handlers. An error is logged and has no further effect. */
export async function handleBroadcast(
  { server, logger }: { server: BusServer; logger: Logger },
  event: ArrivingEvent,
): Promise<void> {
  try {
    await inProcessSpan(event, async () => {
      await server.dispatchEvent(event);
      return 'handled';
    });
  } catch (error) {
    const reason = Failure.from(error).message;
    logger.error(
      { event: event.name, request_id: event.requestId, reason },
      'a broadcast handler failed',
    );
  }
}
