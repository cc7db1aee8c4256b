import { type Context, Failure, parkedEvents } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Controller, Inject, Optional, type Type } from '@nestjs/common';
import { HandleRequest, type InputOf } from './handlers.ts';
import { arrivingEvent, handleOnce } from './inbox.ts';
import { Outbox } from './outbox.ts';
import {
  dropParked,
  inspectParked,
  listParked,
  parse,
  sendAgain,
  takeParked,
} from './parked-rows.ts';
import { readJson } from './message-content.ts';
import { BusServer } from './strategy.ts';

export const isContext = (name: string): name is Context => name in parkedEvents;

/** What the operator asks every context about the events that it has parked. */
export function parkedRequests(context: Context): Type {
  const about = parkedEvents[context];

  @Controller()
  class ParkedRequests {
    constructor(
      @Optional() @Inject(Database) private readonly database: Database | undefined,
      @Optional() @Inject(Outbox) private readonly outbox: Outbox | undefined,
      @Inject(BusServer) private readonly server: BusServer,
    ) {}

    @HandleRequest(about.list)
    list(page: InputOf<typeof about.list>) {
      return listParked(this.#own(), context, page);
    }

    @HandleRequest(about.inspect)
    inspect({ id }: InputOf<typeof about.inspect>) {
      return inspectParked(this.#own(), context, id);
    }

    @HandleRequest(about.replay)
    async replay({ id }: InputOf<typeof about.replay>) {
      const database = this.#own();
      const { way, number } = parse(id);
      if (way === 'in') await this.#handle(database, number);
      else {
        await sendAgain(database, number);
        this.outbox?.kick();
      }
      return {};
    }

    @HandleRequest(about.drop)
    async drop({ id }: InputOf<typeof about.drop>) {
      await dropParked(this.#own(), id);
      return {};
    }

    /** In one transaction: it is taken out when its handler has done its work, and not before. */
    async #handle(database: Database, number: string): Promise<void> {
      await database
        .transaction(async () => {
          const event = readJson(arrivingEvent, await takeParked(database, number));
          if (!event) throw new Failure('invalid', 'it is no event: it can only be dropped');
          await handleOnce(database, this.server, event);
        })
        .catch((error: unknown) => {
          // The operator is told what the handler said.
          throw Failure.from(error);
        });
    }

    #own(): Database {
      if (!this.database) throw new Failure('not-found', `${context} keeps no events`);
      return this.database;
    }
  }
  return ParkedRequests;
}
