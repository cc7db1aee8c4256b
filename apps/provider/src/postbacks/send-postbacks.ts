import type { OnAppStart } from '@registrar/bootstrap';
import { Failure } from '@registrar/contracts';
import {
  activity,
  appLogger,
  clock,
  logFailedWork,
  type Logger,
  runInRequestContext,
} from '@registrar/platform';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { DeliverPostback } from './deliver-postback.ts';
import { PendingPostbacks } from './pending-postbacks.ts';
import { type ClaimedPostback, PostbackRows } from './postback-rows.ts';
import { type PostbackTimes, postbackTimes } from './postback-times.ts';
import { Turns } from './turns.ts';

/** How often to look for postbacks that other replicas made due, or that are repeated. */
const pollPace = { everyMs: 1_000, restMs: 5_000 };

const claimTimeoutMs = 10_000;

/** The time limit of a delivery with its statements, which is within the lease. */
const deliveryTimeoutMs = 25_000;

/** Sends due postbacks in every replica. */
@Injectable()
export class SendPostbacks implements OnAppStart, BeforeApplicationShutdown {
  readonly #turns = new Turns();
  readonly #running = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #isStopped = false;
  #isWoken = false;
  #wake: () => void = () => undefined;
  #loop: Promise<void> = Promise.resolve();

  constructor(
    private readonly rows: PostbackRows,
    private readonly deliverPostback: DeliverPostback,
    private readonly pending: PendingPostbacks,
    @Inject(postbackTimes) private readonly times: PostbackTimes,
    @Inject(appLogger) private readonly logger: Logger,
  ) {}

  onAppStart(): void {
    this.pending.onDue(() => this.wake());
    this.#loop = this.repeat();
  }

  /** Claims no more, and ends deliveries that do not finish within the drain time: they stay due. */
  async beforeApplicationShutdown(): Promise<void> {
    this.#isStopped = true;
    this.wake();
    await this.#loop;
    const cancel = clock.schedule(this.times.drainMs, () => this.#stopping.abort());
    await Promise.all(this.#running);
    cancel();
  }

  private wake(): void {
    this.#isWoken = true;
    this.#wake();
  }

  private async repeat(): Promise<void> {
    while (!this.#isStopped) {
      this.#isWoken = false;
      const claimed = this.#turns.free > 0 ? await this.claim() : [];
      for (const postback of claimed) this.start(postback);
      if (claimed.length === 0) await this.nextLook();
    }
  }

  /** Resolves after the interval, or when a postback became due or a delivery has ended. */
  private async nextLook(): Promise<void> {
    if (this.#isWoken) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const cancel = activity.schedule(pollPace, resolve);
    await promise;
    cancel();
  }

  private async claim(): Promise<ClaimedPostback[]> {
    const { free, served, busy } = this.#turns;
    const context = { requestId: randomUUID(), deadline: clock.now() + claimTimeoutMs };
    try {
      return await runInRequestContext(context, () => this.rows.claim(free, served, busy));
    } catch (error) {
      const { message: reason } = Failure.from(error);
      logFailedWork(this.logger, error, { reason }, 'due postbacks cannot be claimed');
      return [];
    }
  }

  private start(postback: ClaimedPostback): void {
    this.#turns.begin(postback.application_id);
    const work = this.deliver(postback).finally(() => {
      this.#turns.end(postback.application_id);
      this.#running.delete(work);
      this.wake();
    });
    this.#running.add(work);
  }

  /** A delivery whose outcome cannot be stored is repeated when its lease has ended. */
  private async deliver(postback: ClaimedPostback): Promise<void> {
    const context = { requestId: randomUUID(), deadline: clock.now() + deliveryTimeoutMs };
    try {
      await runInRequestContext(context, () =>
        this.deliverPostback.deliver(postback, this.#stopping.signal),
      );
    } catch (error) {
      const { message: reason } = Failure.from(error);
      const fields = { registration: postback.registration_id, reason };
      logFailedWork(this.logger, error, fields, 'a postback failed and will be repeated');
    }
  }
}
