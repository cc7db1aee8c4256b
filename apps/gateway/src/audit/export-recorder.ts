import { BusClient, type InputOf } from '@registrar/bus';
import { type AccessScope, auditActorOf, Failure, recordExport } from '@registrar/contracts';
import {
  appLogger,
  clock,
  currentRequestContext,
  describeAct,
  endsWithin,
  type Logger,
  PeriodicTask,
  runInRequestContext,
} from '@registrar/platform';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { randomUUID } from 'node:crypto';

/**
 * A list with more rows is recorded in the audit log as an export. That is more than a person reads, so the log shows
 * copies of data and not everyday reads.
 */
export const auditExportRows = 1_000;

/** How many exports wait while identity cannot be reached. */
const maxWaiting = 1_000;
const requestTimeoutMs = 10_000;

/** How long a stopping gateway waits for identity. The log has what is not recorded then. */
const stopTimeoutMs = 5_000;

/** An export that identity has not recorded yet. */
interface WaitingExport {
  readonly act: InputOf<typeof recordExport>;
  readonly requestId: string;
  /** Identity records repetitions under one key once. */
  readonly idempotencyKey: string;
}

/**
 * Reports exports to identity's audit log, after their responses have ended. The gateway has no
 * outbox: exports that wait are lost if it is killed, and beyond {@link maxWaiting} the log has them.
 */
@Injectable()
export class ExportRecorder implements OnApplicationShutdown {
  /** Oldest first. */
  readonly #waiting = new Set<WaitingExport>();
  #round: Promise<void> | null = null;

  constructor(
    private readonly bus: BusClient,
    @Inject(appLogger) private readonly logger: Logger,
  ) {}

  /** Reports a list of more than {@link auditExportRows} rows, which has ended, complete or not. */
  record(rows: number, operation: string, scope: AccessScope): void {
    const act = describeAct({
      action: 'list.exported' as const,
      actor: auditActorOf(scope),
      realmId: scope.realmId,
      subject: { operation, rows },
    });
    const requestId = currentRequestContext()?.requestId ?? randomUUID();
    const added = { act, requestId, idempotencyKey: randomUUID() };
    if (this.#waiting.size < maxWaiting) this.#waiting.add(added);
    else this.#logLost(added, 'too many exports wait for identity');
  }

  /** Repeats what failed because identity cannot be reached in the next round. */
  @PeriodicTask({ name: 'record exports', everyMs: 1_000, timeoutMs: requestTimeoutMs })
  report(): Promise<void> {
    this.#round ??= this.#reportWaiting().finally(() => (this.#round = null));
    return this.#round;
  }

  /** When the HTTP server has closed: lists may end until then. */
  async onApplicationShutdown(): Promise<void> {
    await endsWithin(this.report(), stopTimeoutMs);
    for (const each of this.#waiting) this.#logLost(each, 'the gateway stops');
  }

  async #reportWaiting(): Promise<void> {
    // Includes those that are added meanwhile.
    for (const each of this.#waiting) {
      try {
        await this.#send(each);
      } catch (error) {
        const failure = Failure.from(error);
        if (failure.retriable || failure.code === 'expired') return;
        this.#logLost(each, failure.message);
      }
      this.#waiting.delete(each);
    }
  }

  #send({ act, requestId, idempotencyKey }: WaitingExport): Promise<object> {
    const context = { requestId, deadline: clock.now() + requestTimeoutMs, idempotencyKey };
    return runInRequestContext(context, () => this.bus.request(recordExport, act));
  }

  #logLost({ act, requestId }: WaitingExport, reason: string): void {
    const { actor, clientAddress, subject } = act;
    const who = { mode: actor.kind, api_key_id: actor.id, client_address: clientAddress };
    const what = { request_id: requestId, operation: subject['operation'], reason };
    this.logger.error({ ...who, ...what }, 'an export is missing in the audit log');
  }
}
