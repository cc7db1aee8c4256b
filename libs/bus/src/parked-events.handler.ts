import { type Context, Failure, parkedEventRequests } from '@registrar/contracts';
import { Database } from '@registrar/persistence';
import { Controller, Inject, Optional, type Type } from '@nestjs/common';
import { HandleRequest, type InputOf } from './handlers.ts';
import { arrivingEvent } from './event-message.ts';
import { handleOnce } from './inbox.ts';
import { Outbox } from './outbox.ts';
import {
  dropParked,
  inspectParked,
  listParked,
  parseParkedId,
  replayOutgoing,
  takeReceived,
} from './parked-events.ts';
import { BusServer } from './bus-server.ts';
import { readJson } from './message-content.ts';

export const isContext = (name: string): name is Context => name in parkedEventRequests;

/** Creates the controller that handles the operator's requests for the parked events of a context. */
export function parkedEventsHandler(context: Context): Type {
  const requests = parkedEventRequests[context];

  @Controller()
  class ParkedEventsHandler {
    constructor(
      @Optional() @Inject(Database) private readonly database: Database | undefined,
      @Optional() @Inject(Outbox) private readonly outbox: Outbox | undefined,
      @Inject(BusServer) private readonly server: BusServer,
    ) {}

    @HandleRequest(requests.list)
    list(page: InputOf<typeof requests.list>) {
      return listParked(this.#requireDatabase(), context, page);
    }

    @HandleRequest(requests.inspect)
    inspect({ id }: InputOf<typeof requests.inspect>) {
      return inspectParked(this.#requireDatabase(), context, id);
    }

    @HandleRequest(requests.replay)
    async replay({ id }: InputOf<typeof requests.replay>) {
      const database = this.#requireDatabase();
      const { direction, number } = parseParkedId(id);
      if (direction === 'in') await this.#handle(database, number);
      else {
        await replayOutgoing(database, number);
        this.outbox?.relayNow();
      }
      return {};
    }

    @HandleRequest(requests.drop)
    async drop({ id }: InputOf<typeof requests.drop>) {
      await dropParked(this.#requireDatabase(), id);
      return {};
    }

    /** Handles a parked message again and deletes it, in one transaction. */
    async #handle(database: Database, number: string): Promise<void> {
      await database
        .transaction(async () => {
          const event = readJson(arrivingEvent, await takeReceived(database, number));
          if (!event)
            throw new Failure('invalid', 'the message is not an event: it can only be dropped');
          await handleOnce(database, this.server, event);
        })
        .catch((error: unknown) => {
          // The operator sees the reason of the handler's failure.
          throw Failure.from(error);
        });
    }

    #requireDatabase(): Database {
      if (!this.database)
        throw new Failure('not-found', `${context} has no database and no parked events`);
      return this.database;
    }
  }
  return ParkedEventsHandler;
}
