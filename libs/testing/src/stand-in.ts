import {
  type BusApp,
  busMigrations,
  type BusTransport,
  HandleRequest,
  type InputOf,
  type ReplyOf,
  startApp,
} from '#libs/bus';
import { type Context, type ListContract, type RequestContract } from '#libs/contracts';
import { PersistenceModule } from '#libs/persistence';
import { type Logger } from '#libs/platform';
import { Controller, type DynamicModule } from '@nestjs/common';

/** What a stand-in says to one kind of request, or to those for the pages of one list. */
export interface Answer {
  readonly contract: RequestContract | ListContract;
  readonly give: (input: unknown) => Promise<unknown>;
}

export const answer = <Contract extends RequestContract | ListContract>(
  contract: Contract,
  give: (input: InputOf<Contract>) => Promise<ReplyOf<Contract>>,
): Answer => ({ contract, give: give as Answer['give'] });

/**
 * Another context, as far as a suite needs it: an app on the bus that answers what it was told to.
 * With the address of a database it has an `Outbox` too, and publishes what the suite wants.
 */
export function startStandIn(
  context: Context,
  answers: readonly Answer[],
  on: { transport: BusTransport; logger: Logger; databaseUrl?: string },
): Promise<BusApp> {
  class StandIn {}
  for (const { contract, give } of answers) {
    const descriptor = { value: give, configurable: true };
    Object.defineProperty(StandIn.prototype, contract.name, descriptor);
    HandleRequest(contract)(StandIn.prototype, contract.name, descriptor);
  }
  Controller()(StandIn);
  const schema = { name: context, entities: [], migrations: busMigrations };
  const module: DynamicModule = {
    module: class StandInModule {},
    controllers: [StandIn],
    imports: on.databaseUrl ? [PersistenceModule.forContext(schema, on.databaseUrl)] : [],
  };
  return startApp({ name: context, module, transport: on.transport, logger: on.logger });
}
