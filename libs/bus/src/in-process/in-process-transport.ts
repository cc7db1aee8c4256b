import { type BusApp, contextOf, Failure } from '@registrar/contracts';
import { withDeadline } from '@registrar/platform';
import { BoundedQueue } from '../bounded-queue.ts';
import type { BusClient } from '../bus-client.ts';
import type { BusMember } from '../bus-member.ts';
import { BusServer } from '../bus-server.ts';
import type { Answer, RequestEnvelope } from '../envelope.ts';
import { isPublishedBy, type OutgoingEvent } from '../event-message.ts';
import { Inbox } from '../inbox.ts';
import type { BusEndpoint, BusTransport } from '../transport.ts';
import { TransportClient } from '../transport-client.ts';

/** A bus within one process, which also takes requests of other processes (`serveBusSocket`). */
export interface InProcessTransport extends BusTransport {
  /**
   * Sends a request of an app to the context that its name begins with.
   *
   * @throws {Failure} as `BusClient.request` does
   */
  dispatch(envelope: RequestEnvelope, sender: BusApp): Promise<Answer>;
}

/**
 * Carries requests and events between the apps of one process. Values are serialized as JSON, as they
 * are over a broker, so handlers see no difference. An event stays in the outbox until every
 * subscriber has committed its effect; a subscriber that is not running receives it later.
 */
class Transport implements InProcessTransport {
  readonly members = new Set<InProcessServer>();
  #nextReplica = 0;

  join(member: BusMember): BusEndpoint {
    const client = new InProcessClient(this, member);
    return { client, server: new InProcessServer(this, member, client) };
  }

  /** Returns a replica of a context, in round-robin order. */
  replica(name: string): InProcessServer {
    const replicas = [...this.members].filter((member) => member.name === name);
    const replica = replicas[this.#nextReplica++ % replicas.length];
    if (!replica) throw new Failure('unavailable', `${name} is not running`);
    return replica;
  }

  async dispatch(envelope: RequestEnvelope, sender: string): Promise<Answer> {
    const { name, deadline } = envelope;
    const reply = this.replica(contextOf(name)).receiveRequest(envelope, sender);
    return withDeadline(reply, deadline, name);
  }
}

/** Calls the handlers of an app with the messages of the other apps of its process. */
class InProcessServer extends BusServer {
  readonly #queue: BoundedQueue;
  /** Null for an app without a database. */
  readonly #inbox: Inbox | null;

  constructor(
    private readonly transport: Transport,
    member: BusMember,
    client: BusClient,
  ) {
    super(member, client);
    this.#queue = new BoundedQueue(() => member.metrics.countRejection('overloaded'));
    this.#inbox = member.database && new Inbox(member.database, this);
  }

  get name(): string {
    return this.member.name;
  }

  protected async serve(): Promise<void> {
    this.transport.members.add(this);
  }

  protected async drain(): Promise<void> {
    this.transport.members.delete(this);
    await this.#queue.drained();
  }

  receiveRequest(envelope: RequestEnvelope, sender: string): Promise<Answer> {
    return this.#queue.run(() => this.dispatchRequest(envelope, sender));
  }

  /** Resolves when the effect of the event is committed. */
  async receiveEvent(event: OutgoingEvent): Promise<void> {
    const inbox = this.#inbox;
    if (!inbox) throw new Failure('unavailable', `${this.name} has no database`);
    await this.#queue.run(() => inbox.handle(event));
  }

  receiveBroadcast(event: OutgoingEvent): void {
    if (!event.listeners.includes(this.name)) return;
    if (this.eventDelivery(event.name) !== 'broadcast') return;
    void this.dispatchBroadcast(event);
  }
}

/** Sends the messages of an app to the other apps of its process. */
class InProcessClient extends TransportClient {
  constructor(
    private readonly transport: Transport,
    member: BusMember,
  ) {
    super(member);
  }

  override get usable(): boolean {
    return true;
  }

  protected async transmit({ input, ...envelope }: RequestEnvelope): Promise<Answer> {
    const sent = { ...envelope, input: throughJson(input) };
    return throughJson(await this.transport.dispatch(sent, this.member.name)) as Answer;
  }

  /** Resolves when every subscriber has committed; the inbox of one that did before discards it. */
  protected override async deliver(event: OutgoingEvent): Promise<void> {
    const { name } = this.member;
    if (!isPublishedBy(event, name)) {
      throw new Failure('invalid', `${name} published ${event.name}`);
    }
    for (const member of this.transport.members) member.receiveBroadcast(event);
    const outcomes = await Promise.allSettled(
      event.subscribers.map(async (subscriber) =>
        this.transport.replica(subscriber).receiveEvent(event),
      ),
    );
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
  }
}

const throughJson = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value));

/** Creates a bus within this process. Give the same one to all apps; needs no broker. */
export const inProcessTransport = (): InProcessTransport => new Transport();
