import * as contracts from '@registrar/contracts';
import type { Context, EventContract, ListContract, RequestContract } from '@registrar/contracts';

type Message = RequestContract | ListContract | EventContract;

const exported: readonly unknown[] = Object.values(contracts);

const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && 'kind' in value && 'context' in value;

/** Returns the names of the requests, lists and events that a context handles. */
export const handledMessages = (context: Context): string[] =>
  exported
    .filter(isMessage)
    .filter((message) =>
      message.kind === 'event'
        ? message.subscribers.includes(context)
        : message.context === context,
    )
    .map(({ name }) => name);
