import type * as z from 'zod';
import { findRealms, showSession } from '../session/session.calls.ts';

/** Every call, by its name: one line each, sorted. */
export const calls = {
  'session.find-realms': findRealms,
  'session.show': showSession,
} as const;

export type CallName = keyof typeof calls;

/** What the client sends with a call. */
export type CallInput<Name extends CallName> = z.input<(typeof calls)[Name]['input']>;

/** What the client gets for a call, as JSON. */
export type CallReply<Name extends CallName> = Awaited<ReturnType<(typeof calls)[Name]['handle']>>;
