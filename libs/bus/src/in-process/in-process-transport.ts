import { Failure, type ListContract, type Page, type RequestContract } from '@registrar/contracts';
import type { Database } from '@registrar/persistence';
import { withDeadline, type Logger } from '@registrar/platform';
import type * as z from 'zod';
import { inClientSpan } from '../bus-spans.ts';
import { BusClient, defaultPageSize } from '../bus-client.ts';
import { createEnvelope, type RequestEnvelope } from '../envelope.ts';
import { handleBroadcast } from '../handle-broadcast.ts';
import { handleOnce, type OutgoingEvent } from '../inbox.ts';
import { OutboxRelay } from '../outbox-relay.ts';
import { readPages } from '../read-pages.ts';
import type { BusServer } from '../bus-server.ts';
import type { BusEndpoint, BusTransport, BusMember } from '../transport.ts';
import { BoundedQueue } from '../bounded-queue.ts';

interface Member {
  readonly name: string;
  readonly server: BusServer;
  readonly database: Database | null;
  readonly queue: BoundedQueue;
  readonly logger: Logger;
}

/**
 * Carries requests and events between the apps of one process. Values are serialized as JSON, as they
 * are over a broker, so handlers see no difference. An event stays in the outbox until every
 * subscriber has committed its effect; a subscriber that is not running receives it later.
 */
class InProcessTransport implements BusTransport {
  #members: readonly Member[] = [];
  #nextReplica = 0;

  join({ name, logger, metrics, database }: BusMember): BusEndpoint {
    const client = new InProcessClient((contract, input) =>
      inClientSpan(contract, () =>
        metrics.countRequest(contract.context, () =>
          this.#request(contract, createEnvelope(contract, throughJson(input))),
        ),
      ),
    );
    const carrier = { usable: true, deliver: (event: OutgoingEvent) => this.#deliver(event) };
    const relay = database && new OutboxRelay(database, carrier, logger);
    const queue = new BoundedQueue(() => metrics.countRejection('overloaded'));
    return {
      client,
      usable: true,
      relayNow: () => relay?.relayNow(),
      serve: async (server) => {
        this.#members = [...this.#members, { name, server, database, queue, logger }];
        relay?.start();
      },
      drain: async () => {
        this.#members = this.#members.filter((member) => member.queue !== queue);
        await relay?.stop();
        await queue.drained();
      },
      close: async () => undefined,
      // The apps of one process cannot lose their connection.
      onReconnect: () => undefined,
    };
  }

  /** Returns a replica of a context, in round-robin order. */
  #member(name: string): Member {
    const replicas = this.#members.filter((member) => member.name === name);
    const member = replicas[this.#nextReplica++ % replicas.length];
    if (!member) throw new Failure('unavailable', `${name} is not running`);
    return member;
  }

  async #request(
    contract: RequestContract | ListContract,
    envelope: RequestEnvelope,
  ): Promise<unknown> {
    const { queue, server } = this.#member(contract.context);
    const reply = queue.run(() => server.dispatchRequest(envelope));
    return withDeadline(reply, envelope.deadline, contract.name);
  }

  /** Resolves when every subscriber has committed; the inbox of one that did before discards it. */
  async #deliver(event: OutgoingEvent): Promise<void> {
    for (const member of this.#members) {
      if (member.server.handlesEvent(event.name, 'broadcast')) void handleBroadcast(member, event);
    }
    const outcomes = await Promise.allSettled(
      event.subscribers.map(async (subscriber) => {
        const { database, queue, server } = this.#member(subscriber);
        if (!database) throw new Failure('unavailable', `${subscriber} has no database`);
        await queue.run(() => handleOnce(database, server, event));
      }),
    );
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
  }
}

class InProcessClient extends BusClient {
  constructor(
    private readonly send: (
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
    return throughJson(await this.send(contract, input)) as z.output<Reply>;
  }

  pages<Input extends z.ZodObject, Item extends z.ZodType>(
    contract: ListContract<Input, Item>,
    input: z.output<Input>,
    pageSize = defaultPageSize,
  ): AsyncIterable<z.output<Item>[]> {
    return readPages(async (pageRequest) => {
      const page = await this.send(contract, { ...input, ...pageRequest });
      return throughJson(page) as Page<z.output<Item>>;
    }, pageSize);
  }
}

const throughJson = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value));

/** Creates a bus within this process. Give the same one to all apps; needs no broker. */
export const inProcessTransport = (): BusTransport => new InProcessTransport();
