import type * as z from 'zod';
import {
  discardParkedEvent,
  inspectParkedEvent,
  listParkedEvents,
  replayParkedEvent,
} from '../parked-events/parked-events.calls.ts';
import { findRealms, showSession } from '../session/session.calls.ts';

/** Every call, by its name: one line each, sorted. */
export const calls = {
  'parked-events.discard': discardParkedEvent,
  'parked-events.inspect': inspectParkedEvent,
  'parked-events.list': listParkedEvents,
  'parked-events.replay': replayParkedEvent,
  'session.find-realms': findRealms,
  'session.show': showSession,
} as const;

export type CallName = keyof typeof calls;

/** What the client sends with a call. */
export type CallInput<Name extends CallName> = z.input<(typeof calls)[Name]['input']>;

/** What the client gets for a call, as JSON. */
export type CallReply<Name extends CallName> = Awaited<ReturnType<(typeof calls)[Name]['handle']>>;
