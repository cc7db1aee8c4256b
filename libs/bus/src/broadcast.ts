import { Failure } from '#libs/contracts';
import type { Logger } from '#libs/platform';
import type { ArrivingEvent } from './inbox.ts';
import type { BusServer } from './strategy.ts';

/** Lets an app's listeners hear an event; their failure concerns nobody else. */
export async function broadcast(
  { server, logger }: { server: BusServer; logger: Logger },
  event: ArrivingEvent,
): Promise<void> {
  try {
    await server.handle(event);
  } catch (error) {
    const reason = Failure.from(error).message;
    logger.error({ event: event.name, reason }, 'a broadcast could not be handled');
  }
}
