import { Failure, type ListContract, type Page, type RequestContract } from '#libs/contracts';
import type { Database } from '#libs/persistence';
import { beforeDeadline, type Logger } from '#libs/platform';
import type * as z from 'zod';
import { asking } from '../bus-spans.ts';
import { BusClient, defaultPageSize } from '../client.ts';
import { envelopeFor, type RequestEnvelope } from '../envelope.ts';
import { broadcast } from '../broadcast.ts';
import { handleOnce, type OutgoingEvent } from '../inbox.ts';
import { OutboxRelay } from '../outbox-relay.ts';
import { pagesOf } from '../pages.ts';
import type { BusServer } from '../strategy.ts';
import type { BusEndpoint, BusTransport, JoiningApp } from '../transport.ts';
import { WaitingLine } from '../waiting-line.ts';

interface Member {
  readonly name: string;
  readonly server: BusServer;
  readonly database: Database | null;
  readonly line: WaitingLine;
  readonly logger: Logger;
}

/**
 * Carries requests and events between the apps of one process. Values take the same way through
 * JSON as over a broker, so that handlers see no difference. Events live in the outbox until every
 * subscriber has committed its effect; subscribers that are not there yet get them later.
 */
class InProcessTransport implements BusTransport {
  #members: readonly Member[] = [];
  #turn = 0;

  join({ name, logger, metrics, database }: JoiningApp): BusEndpoint {
    const client = new InProcessClient((contract, input) =>
      asking(contract, () =>
        metrics.asked(contract.context, () =>
          this.#ask(contract, envelopeFor(contract, throughJson(input))),
        ),
      ),
    );
    const carrier = { usable: true, deliver: (event: OutgoingEvent) => this.#deliver(event) };
    const relay = database && new OutboxRelay(database, carrier, logger);
    const line = new WaitingLine(() => metrics.refused('overloaded'));
    return {
      client,
      usable: true,
      kick: () => relay?.kick(),
      serve: async (server) => {
        this.#members = [...this.#members, { name, server, database, line, logger }];
        relay?.start();
      },
      drain: async () => {
        this.#members = this.#members.filter((member) => member.line !== line);
        await relay?.stop();
        await line.drained();
      },
      close: async () => undefined,
      // Nothing comes between the apps of one process.
      onReconnect: () => undefined,
    };
  }

  /** One of the replicas of a context, each in its turn. */
  #member(name: string): Member {
    const replicas = this.#members.filter((member) => member.name === name);
    const member = replicas[this.#turn++ % replicas.length];
    if (!member) throw new Failure('unavailable', `${name} is not running`);
    return member;
  }

  async #ask(
    contract: RequestContract | ListContract,
    envelope: RequestEnvelope,
  ): Promise<unknown> {
    const { line, server } = this.#member(contract.context);
    const answer = line.run(() => server.answer(envelope));
    return beforeDeadline(answer, envelope.deadline, contract.name);
  }

  /** Done when every subscriber has committed; one that has done so before passes it over. */
  async #deliver(event: OutgoingEvent): Promise<void> {
    for (const member of this.#members) {
      if (member.server.handles(event.name, 'broadcast')) void broadcast(member, event);
    }
    const outcomes = await Promise.allSettled(
      event.subscribers.map(async (subscriber) => {
        const { database, line, server } = this.#member(subscriber);
        if (!database) throw new Failure('unavailable', `${subscriber} has no database`);
        await line.run(() => handleOnce(database, server, event));
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
      input: unknown,
    ) => Promise<unknown>,
  ) {
    super();
  }

  async request<Input extends z.ZodType, Reply extends z.ZodType>(
    contract: RequestContract<Input, Reply>,
    input: z.output<Input>,
  ): Promise<z.output<Reply>> {
    return throughJson(await this.ask(contract, input)) as z.output<Reply>;
  }

  pages<Input extends z.ZodObject, Item extends z.ZodType>(
    contract: ListContract<Input, Item>,
    input: z.output<Input>,
    pageSize = defaultPageSize,
  ): AsyncIterable<z.output<Item>[]> {
    return pagesOf(async (place) => {
      const page = await this.ask(contract, { ...input, ...place });
      return throughJson(page) as Page<z.output<Item>>;
    }, pageSize);
  }
}

const throughJson = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value));

/** A bus within this process, shared by all of its apps. */
export const inProcessTransport = (): BusTransport => new InProcessTransport();
