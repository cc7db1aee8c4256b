import {
  accessScope,
  type BusApp,
  defineEvent,
  defineList,
  defineRequest,
  Failure,
  type Page,
} from '@registrar/contracts';
import { Database, encodeCursor, sql } from '@registrar/persistence';
import { currentRequestContext } from '@registrar/platform';
import { Controller, type Type } from '@nestjs/common';
import { EventEmitter, once } from 'node:events';
import * as z from 'zod';
import {
  type EventsOf,
  HandleBroadcast,
  HandleEvent,
  HandleEvents,
  HandleRequest,
  type InputOf,
} from './handlers.ts';

/** The apps whose requests the suites send. */
const callers: readonly BusApp[] = ['gateway', 'operator', 'enrolment', 'crawler'];

export const greet = defineRequest('catalog.greet', {
  callers,
  input: z.object({ name: z.string() }),
  reply: z.object({
    text: z.string(),
    requestId: z.string().optional(),
    key: z.string().optional(),
    deadline: z.number().nullish(),
  }),
  idempotency: 'natural',
});
export const refuse = defineRequest('catalog.refuse', {
  callers,
  input: z.object({}),
  reply: z.object({}),
});
export const crash = defineRequest('catalog.crash', {
  callers,
  input: z.object({}),
  reply: z.object({}),
});
/** The reply is sent when the suite emits the signal `until`. */
export const wait = defineRequest('catalog.wait', {
  callers,
  input: z.object({ until: z.string() }),
  reply: z.object({ released: z.boolean() }),
});
export const waitAndChange = defineRequest('catalog.wait-and-change', {
  callers,
  input: wait.input,
  reply: wait.reply,
  idempotency: 'transactional',
});
export const repeat = defineRequest('catalog.repeat', {
  callers,
  input: z.object({ text: z.string(), times: z.int() }),
  reply: z.object({ text: z.string() }),
});
export const count = defineList('catalog.count', {
  callers,
  input: z.object({ to: z.int() }),
  item: z.int(),
});
export const look = defineRequest('catalog.look', {
  callers,
  input: z.object({ scope: accessScope }),
  reply: z.object({}),
});
export const change = defineRequest('catalog.change', {
  callers,
  input: look.input,
  reply: look.reply,
  idempotency: 'natural',
});
export const unanswered = defineRequest('crawler.unanswered', {
  callers,
  input: z.object({}),
  reply: z.object({}),
});
export const happened = defineEvent('catalog.happened', {
  payload: z.object({ what: z.string() }),
  subscribers: ['enrolment', 'identity'],
  listeners: ['gateway', 'crawler'],
});
export const confided = defineEvent('catalog.confided', {
  payload: happened.payload,
  subscribers: ['crawler'],
});
export const counted = defineEvent('catalog.counted', {
  payload: happened.payload,
  subscribers: ['enrolment'],
});

export const detail = {
  error_code: '4',
  error_message: 'full',
  error_url: 'https://provider.example/',
};

/** Signals between a suite and its apps, faults to inject, and observations. */
export class TestProbe {
  readonly signals = new EventEmitter().setMaxListeners(0);
  /** The offsets of the requested pages. */
  readonly requestedOffsets: number[] = [];
  /** The number of times that the handler of an event will still fail, by `context what`. */
  readonly remainingFailures = new Map<string, number>();
  /** The deadline of an event's handler, by `context what`: milliseconds since the epoch. */
  readonly handlerDeadlines = new Map<string, number | null | undefined>();
  /** The number of events in each call of a handler that takes many. */
  readonly handledTogether: number[] = [];
}

/** The handlers of requests. */
export function catalogHandlers({ signals, requestedOffsets }: TestProbe): Type {
  @Controller()
  class CatalogHandlers {
    @HandleRequest(greet)
    async greet({ name }: InputOf<typeof greet>) {
      return {
        text: `Hello ${name}`,
        requestId: currentRequestContext()?.requestId,
        key: currentRequestContext()?.idempotencyKey,
        deadline: currentRequestContext()?.deadline,
      };
    }

    @HandleRequest(refuse)
    async refuse(): Promise<never> {
      throw new Failure('refused-by-provider', 'the provider is full', detail);
    }

    @HandleRequest(crash)
    async crash(): Promise<never> {
      throw new Error('a defect with password=hunter2');
    }

    @HandleRequest(wait)
    async wait({ until }: InputOf<typeof wait>) {
      signals.emit(`waiting ${until}`);
      await once(signals, until);
      return { released: true };
    }

    @HandleRequest(waitAndChange)
    waitAndChange(input: InputOf<typeof wait>) {
      return this.wait(input);
    }

    @HandleRequest(repeat)
    async repeat({ text, times }: InputOf<typeof repeat>) {
      return { text: text.repeat(times) };
    }

    @HandleRequest(look)
    async look() {
      return {};
    }

    @HandleRequest(change)
    async change() {
      return {};
    }

    @HandleRequest(count)
    async count({ to, cursor, limit }: InputOf<typeof count>): Promise<Page<number>> {
      const from = cursor === null ? 0 : Number(Buffer.from(cursor, 'base64url').toString());
      requestedOffsets.push(from);
      const length = Math.min(limit, to - from);
      const items = Array.from({ length }, (_item, index) => from + index);
      const end = from + items.length;
      return { items, next: end < to ? encodeCursor(end) : null };
    }
  }
  return CatalogHandlers;
}

/** Handlers of events that insert a row each, which shows events that took effect twice. */
export function subscriberHandlers(
  { signals, remainingFailures, handlerDeadlines, handledTogether }: TestProbe,
  context: string,
): Type {
  @Controller()
  class SubscriberHandlers {
    constructor(private readonly database: Database) {}

    @HandleEvent(happened)
    async happened({ what }: { what: string }): Promise<void> {
      handlerDeadlines.set(`${context} ${what}`, currentRequestContext()?.deadline);
      await this.database.execute(sql`INSERT INTO effects (what) VALUES (${what})`);
      this.failIfSet(what);
      this.database.afterCommit(() => signals.emit(`${context} ${what}`));
    }

    @HandleEvent(confided)
    confided(payload: { what: string }): Promise<void> {
      return this.happened(payload);
    }

    @HandleEvents(counted)
    async counted(events: EventsOf<typeof counted>): Promise<void> {
      const whats = events.payloads.map(({ what }) => what);
      handledTogether.push(whats.length);
      for (const what of whats) this.failIfSet(what);
      await events.apply(sql`INSERT INTO effects (what) SELECT payload ->> 'what' FROM events`);
      for (const what of whats) signals.emit(`${context} ${what}`);
    }

    private failIfSet(what: string): void {
      const failures = remainingFailures.get(`${context} ${what}`) ?? 0;
      if (failures === 0) return;
      remainingFailures.set(`${context} ${what}`, failures - 1);
      throw new Error('not yet');
    }
  }
  return SubscriberHandlers;
}

/** A handler of broadcasts that emits the signal `{name} {what}`. */
export function listenerHandlers({ signals }: TestProbe, name: string): Type {
  @Controller()
  class ListenerHandlers {
    @HandleBroadcast(happened)
    receive({ what }: { what: string }): void {
      signals.emit(`${name} ${what}`);
      if (what === 'unbearable') throw new Error('the listener failed');
    }
  }
  return ListenerHandlers;
}
