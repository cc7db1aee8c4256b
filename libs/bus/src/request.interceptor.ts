import { Failure, type ListContract, type RequestContract } from '@registrar/contracts';
import { clock, runtimeChecks, withDeadline } from '@registrar/platform';
import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { from, lastValueFrom, type Observable } from 'rxjs';
import * as z from 'zod';
import { BusMetrics } from './bus-metrics.ts';
import { describeIssues } from './contract.pipe.ts';
import { IdempotencyStore } from './idempotency-store.ts';
import { toColumns } from './message-content.ts';
import type { RequestContext } from './message-context.ts';

/** Runs the handler of a request once for its idempotency key, until its deadline, and measures it. */
@Injectable()
export class RequestInterceptor implements NestInterceptor {
  constructor(
    @Inject(BusMetrics) private readonly metrics: BusMetrics,
    @Inject(IdempotencyStore) private readonly idempotency: IdempotencyStore,
  ) {}

  intercept(execution: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    return from(this.#reply(execution.switchToRpc().getContext(), next));
  }

  /** @throws {Failure} `expired` at the deadline */
  async #reply({ contract, deadline, sentAt }: RequestContext, next: CallHandler<unknown>) {
    const { name, idempotency } = contract;
    if (clock.now() >= deadline) {
      this.metrics.countRejection('expired');
      throw new Failure('expired', `${name} arrived after its deadline`);
    }
    const handle = async () => {
      const reply = await lastValueFrom(next.handle(), { defaultValue: undefined });
      return asSent(contract, checkedReply(contract, reply));
    };
    const reply = this.metrics.timeHandler(name, sentAt, () =>
      idempotency ? this.idempotency.handle(idempotency, handle) : handle(),
    );
    // After the deadline the caller no longer waits, so a stuck handler must not keep its slot.
    return withDeadline(reply, deadline, name);
  }
}

/** Pages of records are sent in columns. */
const asSent = (contract: RequestContract, reply: unknown): unknown =>
  isList(contract) && contract.item instanceof z.ZodObject
    ? toColumns(reply as Parameters<typeof toColumns>[0])
    : reply;

const isList = (contract: RequestContract): contract is ListContract => contract.kind === 'list';

/** In development and tests, checks that a reply matches its contract; in production, costs nothing. */
function checkedReply(contract: RequestContract, reply: unknown): unknown {
  if (!runtimeChecks) return reply;
  const { error } = contract.reply.safeParse(reply);
  if (error)
    throw new Error(`the reply to ${contract.name} is malformed: ${describeIssues(error)}`);
  return reply;
}
