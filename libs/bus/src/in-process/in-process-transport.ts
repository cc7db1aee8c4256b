import { Failure, type ListContract, type Page, type RequestContract } from '#libs/contracts';
import type { Database } from '#libs/persistence';
import type * as z from 'zod';
import { beforeDeadline } from '../before-deadline.ts';
import { BusClient, defaultPageSize } from '../client.ts';
import { envelopeFor, type RequestEnvelope } from '../envelope.ts';
import { handleOnce, type OutgoingEvent } from '../inbox.ts';
import { OutboxRelay } from '../outbox-relay.ts';
import { pagesOf } from '../pages.ts';
import type { BusServer } from '../strategy.ts';
import type { BusEndpoint, BusTransport, JoiningApp } from '../transport.ts';
import { WaitingLine } from '../waiting-line.ts';

interface Member {
  readonly server: BusServer;
  readonly database: Database | null;
  readonly line: WaitingLine;
}

/**
 * Carries requests and events between the apps of one process. Values take the same way through
 * JSON as over a broker, so that handlers see no difference. Events live in the outbox until every
 * subscriber has committed its effect; subscribers that are not there yet get them later.
 */
class InProcessTransport implements BusTransport {
  readonly #members = new Map<string, Member>();

  join({ name, logger, database }: JoiningApp): BusEndpoint {
    const client = new InProcessClient((contract, envelope) => this.#ask(contract, envelope));
    const relay = database && new OutboxRelay(database, (event) => this.#deliver(event), logger);
    return {
      client,
      kick: () => relay?.kick(),
      serve: async (server) => {
        this.#members.set(name, { server, database, line: new WaitingLine() });
        relay?.start();
      },
      drain: async () => {
        const member = this.#members.get(name);
        this.#members.delete(name);
        await relay?.stop();
        await member?.line.drained();
      },
      // Nothing comes between the apps of one process.
      onReconnect: () => undefined,
    };
  }

  async #ask(
    contract: RequestContract | ListContract,
    envelope: RequestEnvelope,
  ): Promise<unknown> {
    const member = this.#members.get(contract.context);
    if (!member) throw new Failure('unavailable', `${contract.context} is not running`);
    const answer = member.line.run(() => member.server.answer(envelope));
    return beforeDeadline(answer, envelope.deadline, contract.name);
  }

  /** Done when every subscriber has committed; one that has done so before passes it over. */
  async #deliver(event: OutgoingEvent): Promise<void> {
    for (const { server } of this.#members.values()) {
      if (server.handles(event.name, 'broadcast')) await server.handle(event);
    }
    const outcomes = await Promise.allSettled(
      event.subscribers.map(async (subscriber) => {
        const member = this.#members.get(subscriber);
        if (!member?.database) throw new Failure('unavailable', `${subscriber} is not running`);
        await handleOnce(member.database, member.server, event);
      }),
    );
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
  }
}

class InProcessClient extends BusClient {
  constructor(
    private readonly ask: (
      contract: RequestContract | ListContract,
      envelope: RequestEnvelope,
    ) => Promise<unknown>,
  ) {
    super();
  }

  async request<Input extends z.ZodType, Reply extends z.ZodType>(
    contract: RequestContract<Input, Reply>,
    input: z.output<Input>,
  ): Promise<z.output<Reply>> {
    const envelope = envelopeFor(contract, throughJson(input));
    return throughJson(await this.ask(contract, envelope)) as z.output<Reply>;
  }

  pages<Input extends z.ZodObject, Item extends z.ZodType>(
    contract: ListContract<Input, Item>,
    input: z.output<Input>,
    pageSize = defaultPageSize,
  ): AsyncIterable<z.output<Item>[]> {
    return pagesOf(async (place) => {
      const envelope = envelopeFor(contract, throughJson({ ...input, ...place }));
      return throughJson(await this.ask(contract, envelope)) as Page<z.output<Item>>;
    }, pageSize);
  }
}

const throughJson = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value));

/** A bus within this process, shared by all of its apps. */
export const inProcessTransport = (): BusTransport => new InProcessTransport();
