import { createHash, randomUUID } from 'node:crypto';
import { type Context, Failure, type RequestContract } from '@registrar/contracts';
import { clock, currentRequestContext, currentTraceContext, inSpan } from '@registrar/platform';
import { BusClient, defaultRequestTimeoutMs } from './bus-client.ts';
import type { BusMember } from './bus-member.ts';
import type { Answer, RequestEnvelope } from './envelope.ts';
import { fromColumns } from './message-content.ts';

/** The client of a transport: puts a request in its envelope, traces and counts it. */
export abstract class TransportClient extends BusClient {
  constructor(protected readonly member: BusMember) {
    super();
  }

  exchange(
    contract: RequestContract,
    input: unknown,
    hang: () => void = () => undefined,
  ): Promise<unknown> {
    const { name, context } = contract;
    const attributes = { 'rpc.system.name': 'registrar', 'rpc.method': name };
    return inSpan({ name, kind: 'client', attributes }, () =>
      this.member.metrics.countRequest(context, async () => {
        const envelope = createEnvelope(contract, input);
        const { reply, isReplay } = await this.transmit(envelope, context, hang).catch(noteReplay);
        if (isReplay) currentRequestContext()?.onReplay?.();
        return contract.kind === 'list'
          ? fromColumns(reply as Parameters<typeof fromColumns>[0])
          : reply;
      }),
    );
  }

  /**
   * Sends a request to a context, and resolves with its answer.
   *
   * @param hang called when the replica that has the request seems to be frozen
   * @throws {Failure} as {@link BusClient.request} does
   */
  protected abstract transmit(
    envelope: RequestEnvelope,
    context: Context,
    hang: () => void,
  ): Promise<Answer>;
}

/** @throws the error of a request, after it was noted that it is that of an earlier request */
function noteReplay(error: unknown): never {
  if (error instanceof Failure && error.isReplay) currentRequestContext()?.onReplay?.();
  throw error;
}

/** Creates the envelope of a request from the current request context. */
function createEnvelope(contract: RequestContract, input: unknown): RequestEnvelope {
  const context = currentRequestContext();
  const sentAt = clock.now();
  return {
    name: contract.name,
    deadline: context?.deadline ?? sentAt + defaultRequestTimeoutMs,
    sentAt,
    requestId: context?.requestId ?? randomUUID(),
    ...(contract.idempotency && {
      idempotencyKey: requestKey(context?.idempotencyKey ?? randomUUID(), contract.name, input),
      isPrivateKey: !context?.idempotencyKey || context.isPrivateKey,
      keyUse: context?.keyUse,
    }),
    clientAddress: context?.clientAddress,
    consoleUser: context?.consoleUser,
    trace: currentTraceContext(),
    input,
  };
}

/**
 * Derives the idempotency key of one request from the key of its operation, which may send several.
 * The caller's scope is left out, because it may change before the operation is repeated.
 */
function requestKey(operationKey: string, name: string, input: unknown): string {
  const withoutScope = { ...(input as object), scope: undefined };
  const parts = JSON.stringify([operationKey, name, withoutScope]);
  return createHash('sha256').update(parts).digest('base64url');
}
