import type { Logger } from '@registrar/platform';
import type { BusMetrics } from '../bus-metrics.ts';
import { MessageRejected } from './message-authenticator.ts';

/** The time between two log lines about messages rejected for the same reason: milliseconds. */
const logIntervalMs = 10_000;

/** Counts rejected messages, and logs them: each reason once every 10 s at most. */
export class RejectedMessages {
  readonly #loggedAt = new Map<string, number>();

  constructor(
    private readonly metrics: BusMetrics,
    private readonly log: Logger,
  ) {}

  /** Returns what `verify` returns, or null when it rejects the message. */
  unlessRejected<T>(verify: () => T): T | null {
    try {
      return verify();
    } catch (error) {
      if (!(error instanceof MessageRejected)) throw error;
      this.report(error);
      return null;
    }
  }

  /** @param details fields of the log line besides the reason and the sender */
  report({ reason, claimedSender }: MessageRejected, details: Record<string, string> = {}): void {
    this.metrics.countRejectedMessage(reason);
    const fields = { ...details, reason, sender: claimedSender };
    this.#log(reason, fields, 'a message of the bus was rejected');
  }

  /** Logs that an event that cannot be verified was dropped, because too many are parked. */
  reportFull({ reason, claimedSender }: MessageRejected): void {
    const fields = { reason, sender: claimedSender };
    this.#log('full', fields, 'an event was dropped: too many that cannot be verified are parked');
  }

  #log(subject: string, fields: object, text: string): void {
    const now = Date.now();
    if (now - (this.#loggedAt.get(subject) ?? -Infinity) < logIntervalMs) return;
    this.#loggedAt.set(subject, now);
    this.log.error(fields, text);
  }
}
