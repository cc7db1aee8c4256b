import { type BusApp, Failure } from '@registrar/contracts';
import { withDeadline, type Logger } from '@registrar/platform';
import { inClientSpan } from '../bus-spans.ts';
import { createEnvelope, type RequestEnvelope } from '../envelope.ts';
import { handleBroadcast } from '../handle-broadcast.ts';
import { isPublishedBy, type OutgoingEvent } from '../inbox.ts';
import { EventHandling } from '../event-handling.ts';
import { OutboxRelay } from '../outbox-relay.ts';
import { SendingClient } from '../sending-client.ts';
import type { BusServer } from '../bus-server.ts';
import type { BusEndpoint, BusTransport, BusMember } from '../transport.ts';
import { BoundedQueue } from '../bounded-queue.ts';

interface Member {
  readonly name: string;
  readonly server: BusServer;
  /** Null for an app without a database. */
  readonly events: EventHandling | null;
  readonly queue: BoundedQueue;
  readonly logger: Logger;
}

/** A bus within one process, which also takes requests of other processes (`serveBusSocket`). */
export interface InProcessTransport extends BusTransport {
  /**
   * Sends a request of an app to the context that its name begins with.
   *
   * @throws {Failure} as `BusClient.request` does
   */
  dispatch(envelope: RequestEnvelope, sender: BusApp): Promise<unknown>;
}

/**
 * Carries requests and events between the apps of one process. Values are serialized as JSON, as they
 * are over a broker, so handlers see no difference. An event stays in the outbox until every
 * subscriber has committed its effect; a subscriber that is not running receives it later.
 */
class Transport implements InProcessTransport {
  #members: readonly Member[] = [];
  #nextReplica = 0;

  join({ name, logger, metrics, database }: BusMember): BusEndpoint {
    const client = new SendingClient((contract, input) =>
      inClientSpan(contract, () =>
        metrics.countRequest(contract.context, async () =>
          throughJson(await this.#dispatch(createEnvelope(contract, throughJson(input)), name)),
        ),
      ),
    );
    const carrier = { usable: true, deliver: (event: OutgoingEvent) => this.#deliver(event, name) };
    const relay = database && new OutboxRelay(database, carrier, logger);
    const queue = new BoundedQueue(() => metrics.countRejection('overloaded'));
    return {
      client,
      faults: [],
      relayNow: () => relay?.relayNow(),
      serve: async (server) => {
        const events = database && new EventHandling(database, server);
        this.#members = [...this.#members, { name, server, events, queue, logger }];
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

  dispatch(envelope: RequestEnvelope, sender: BusApp): Promise<unknown> {
    return this.#dispatch(envelope, sender);
  }

  async #dispatch(envelope: RequestEnvelope, sender: string): Promise<unknown> {
    const { name, deadline } = envelope;
    const { queue, server } = this.#member(contextOf(name));
    const reply = queue.run(() => server.dispatchRequest(envelope, sender));
    return withDeadline(reply, deadline, name);
  }

  /** Resolves when every subscriber has committed; the inbox of one that did before discards it. */
  async #deliver(event: OutgoingEvent, publisher: string): Promise<void> {
    if (!isPublishedBy(event, publisher)) {
      throw new Failure('invalid', `${publisher} published ${event.name}`);
    }
    for (const member of this.#members) {
      const isListener = event.listeners.includes(member.name);
      if (isListener && member.server.eventDelivery(event.name) === 'broadcast') {
        void handleBroadcast(member, event);
      }
    }
    const outcomes = await Promise.allSettled(
      event.subscribers.map(async (subscriber) => {
        const { events, queue } = this.#member(subscriber);
        if (!events) throw new Failure('unavailable', `${subscriber} has no database`);
        await queue.run(() => events.handle(event));
      }),
    );
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
  }
}

/** `catalog` of `catalog.greet`. */
const contextOf = (name: string) => name.slice(0, name.indexOf('.'));

const throughJson = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value));

/** Creates a bus within this process. Give the same one to all apps; needs no broker. */
export const inProcessTransport = (): InProcessTransport => new Transport();
