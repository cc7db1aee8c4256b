import { defineEvent, defineList, defineRequest, Failure, type Page } from '#libs/contracts';
import { Database, encodeCursor } from '#libs/persistence';
import { currentOperation, remainingTime } from '#libs/platform';
import { Controller, type Type } from '@nestjs/common';
import { EventEmitter, once } from 'node:events';
import * as z from 'zod';
import { HandleBroadcast, HandleEvent, HandleRequest, type InputOf } from './handlers.ts';

export const greet = defineRequest('catalog.greet', {
  input: z.object({ name: z.string() }),
  reply: z.object({
    text: z.string(),
    requestId: z.string().optional(),
    key: z.string().optional(),
    remaining: z.number(),
  }),
  changes: 'again',
});
export const refuse = defineRequest('catalog.refuse', {
  input: z.object({}),
  reply: z.object({}),
});
export const crash = defineRequest('catalog.crash', { input: z.object({}), reply: z.object({}) });
/** Is answered when the suite says `until`. */
export const wait = defineRequest('catalog.wait', {
  input: z.object({ until: z.string() }),
  reply: z.object({ released: z.boolean() }),
});
export const waitAndChange = defineRequest('catalog.wait-and-change', {
  input: wait.input,
  reply: wait.reply,
  changes: 'once',
});
export const repeat = defineRequest('catalog.repeat', {
  input: z.object({ text: z.string(), times: z.int() }),
  reply: z.object({ text: z.string() }),
});
export const count = defineList('catalog.count', {
  input: z.object({ to: z.int() }),
  item: z.int(),
});
export const unanswered = defineRequest('crawler.unanswered', {
  input: z.object({}),
  reply: z.object({}),
});
export const happened = defineEvent('catalog.happened', {
  payload: z.object({ what: z.string() }),
  subscribers: ['enrolment', 'identity'],
});
export const confided = defineEvent('catalog.confided', {
  payload: happened.payload,
  subscribers: ['crawler'],
});

export const detail = {
  error_code: '4',
  error_message: 'full',
  error_url: 'https://provider.example/',
};

/** What a suite and its apps tell each other. */
export class Stage {
  /** What the apps say, and what the suite says to them. */
  readonly told = new EventEmitter().setMaxListeners(0);
  /** The places in the list at which pages were asked for. */
  readonly askedPages: number[] = [];
  /** How often the handler of an event fails before it succeeds: `context what`. */
  readonly stubborn = new Map<string, number>();
  /** How much time the handler of an event had: `context what`, milliseconds. */
  readonly handlingTimes = new Map<string, number>();
}

/** The context that answers. */
export function catalogHandlers({ told, askedPages }: Stage): Type {
  @Controller()
  class CatalogHandlers {
    @HandleRequest(greet)
    async greet({ name }: InputOf<typeof greet>) {
      return {
        text: `Hello ${name}`,
        requestId: currentOperation()?.requestId,
        key: currentOperation()?.idempotencyKey,
        remaining: remainingTime(),
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
      told.emit(`waiting ${until}`);
      await once(told, until);
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

    @HandleRequest(count)
    async count({ to, cursor, limit }: InputOf<typeof count>): Promise<Page<number>> {
      const from = cursor === null ? 0 : Number(Buffer.from(cursor, 'base64url').toString());
      askedPages.push(from);
      const length = Math.min(limit, to - from);
      const items = Array.from({ length }, (_item, index) => from + index);
      const end = from + items.length;
      return { items, next: end < to ? encodeCursor(end) : null };
    }
  }
  return CatalogHandlers;
}

/** A context that handles events: each adds to a table, so that one with two effects would show. */
export function subscriberHandlers(
  { told, stubborn, handlingTimes }: Stage,
  context: string,
): Type {
  @Controller()
  class SubscriberHandlers {
    constructor(private readonly database: Database) {}

    @HandleEvent(happened)
    async happened({ what }: { what: string }): Promise<void> {
      handlingTimes.set(`${context} ${what}`, remainingTime());
      await this.database.query('INSERT INTO effects (what) VALUES ($1)', [what]);
      const failures = stubborn.get(`${context} ${what}`) ?? 0;
      if (failures > 0) {
        stubborn.set(`${context} ${what}`, failures - 1);
        throw new Error('not yet');
      }
      this.database.afterCommit(() => told.emit(`${context} ${what}`));
    }

    @HandleEvent(confided)
    confided(payload: { what: string }): Promise<void> {
      return this.happened(payload);
    }
  }
  return SubscriberHandlers;
}

/** A replica of an app that listens: it says `{name} {what}`. */
export function listenerHandlers({ told }: Stage, name: string): Type {
  @Controller()
  class ListenerHandlers {
    @HandleBroadcast(happened)
    heard({ what }: { what: string }): void {
      told.emit(`${name} ${what}`);
      if (what === 'unbearable') throw new Error('the listener failed');
    }
  }
  return ListenerHandlers;
}
