import { appLogger, clock, type Logger } from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';
import { BusMetrics, type MessageFault } from './bus-metrics.ts';

/** A message has no sender that is known, or one that may not send it. */
export class MessageRejected extends Error {
  override readonly name = 'MessageRejected';

  constructor(
    readonly reason: MessageFault,
    /** The app, or else the account at the broker, that sent the message; null if it names none. */
    readonly sender: string | null = null,
  ) {
    super(reason);
  }
}

/** The time between two log lines about messages rejected for the same reason: milliseconds. */
const logIntervalMs = 10_000;

/** Counts rejected messages, and logs them: each reason once every 10 s at most. */
@Injectable()
export class RejectedMessages {
  readonly #loggedAt = new Map<string, number>();

  constructor(
    @Inject(BusMetrics) private readonly metrics: BusMetrics,
    @Inject(appLogger) private readonly log: Logger,
  ) {}

  /**
   * Counts and logs why a message was not accepted.
   *
   * @param details fields of the log line besides the reason and the sender
   * @throws any error that is no {@link MessageRejected}
   */
  report(error: unknown, details: Record<string, string> = {}): void {
    if (!(error instanceof MessageRejected)) throw error;
    const { reason, sender } = error;
    this.metrics.countRejectedMessage(reason);
    const now = clock.now();
    if (now - (this.#loggedAt.get(reason) ?? -Infinity) < logIntervalMs) return;
    this.#loggedAt.set(reason, now);
    this.log.error({ ...details, reason, sender }, 'a message of the bus was rejected');
  }
}
