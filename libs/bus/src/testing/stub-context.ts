import { type Context, type RequestContract, parkedEventRequests } from '@registrar/contracts';
import { PersistenceModule } from '@registrar/persistence';
import { type Logger } from '@registrar/platform';
import { Controller, type DynamicModule } from '@nestjs/common';
import { HandleRequest, type InputOf, type ReplyOf } from '../handlers.ts';
import { busMigrations } from '../migrations.ts';
import { startBusApp, type TestBusApp } from './start-bus-app.ts';
import type { BusTransport } from '../transport.ts';

/** The stubbed reply to one kind of request, or to page requests of one list. */
export interface StubbedReply {
  readonly contract: RequestContract;
  readonly reply: (input: unknown) => Promise<unknown>;
}

export const stubReply = <Contract extends RequestContract>(
  contract: Contract,
  reply: (input: InputOf<Contract>) => Promise<ReplyOf<Contract>>,
): StubbedReply => ({
  contract,
  reply: reply as StubbedReply['reply'],
});

/**
 * Starts a stub of another context: an app on the bus that gives the stubbed replies. With a
 * database URL it has an `Outbox` too, through which the suite publishes events.
 */
export function startStubContext(
  context: Context,
  replies: readonly StubbedReply[],
  on: { transport: BusTransport; logger: Logger; databaseUrl?: string },
): Promise<TestBusApp> {
  class StubContext {}
  for (const { contract, reply } of replies) {
    // Nest keeps the guards and interceptors of a handler at its function, and a suite may give one reply to many stubs.
    const descriptor = { value: (input: unknown) => reply(input), configurable: true };
    Object.defineProperty(StubContext.prototype, contract.name, descriptor);
    HandleRequest(contract)(StubContext.prototype, contract.name, descriptor);
  }
  Controller()(StubContext);
  const schema = { name: context, entities: [], migrations: busMigrations };
  const module: DynamicModule = {
    module: class StubModule {},
    controllers: [StubContext],
    imports: on.databaseUrl ? [PersistenceModule.forContext(schema, on.databaseUrl)] : [],
  };
  const { transport, logger } = on;
  const parked: readonly unknown[] = Object.values(parkedEventRequests[context]);
  const handlesParkedEvents = !replies.some(({ contract }) => parked.includes(contract));
  return startBusApp({ name: context, module, transport, logger, handlesParkedEvents });
}
