import { defineEvent, defineRequest, Failure, type FailureCode } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Controller, type Type } from '@nestjs/common';
import { once } from 'node:events';
import * as z from 'zod';
import type { TestProbe } from './bus-apps.fixture.ts';
import { HandleRequest, type InputOf } from './handlers.ts';
import { Outbox } from './outbox.ts';

const input = z.object({
  what: z.string(),
  /** Not part of the idempotency key: it may differ when the request is repeated. */
  scope: z.object({ reach: z.number() }).optional(),
  /** The handler waits for this signal after it has written its effect. */
  until: z.string().optional(),
});
const reply = z.object({ id: z.number(), secret: z.string() });

export const changed = defineEvent('catalog.changed', {
  payload: z.object({ what: z.string() }),
  subscribers: [],
});
export const changeOnce = defineRequest('catalog.change-once', {
  callers: ['gateway'],
  input,
  reply,
  idempotency: 'transactional',
});
export const changeInSteps = defineRequest('catalog.change-in-steps', {
  callers: ['gateway'],
  input,
  reply,
  idempotency: 'resumable',
});

/** The failures of the next attempts at a change, in order. */
export type PlannedFailures = Map<string, (FailureCode | 'crash')[]>;

/** Handlers of changes that insert a row each, which shows changes that took effect twice. */
export function changeHandlers({ signals }: TestProbe, failures: PlannedFailures): Type {
  @Controller()
  class ChangeHandlers {
    constructor(
      private readonly database: Database,
      private readonly outbox: Outbox,
    ) {}

    @HandleRequest(changeOnce)
    async once({ what, until }: InputOf<typeof changeOnce>) {
      const { id } = await this.database.one(
        z.object({ id: z.number() }),
        sql`INSERT INTO effects (what) VALUES (${what}) RETURNING id`,
      );
      await this.outbox.publish(changed, { what });
      if (until) {
        signals.emit(`changing ${what}`);
        await once(signals, until);
      }
      const ending = failures.get(what)?.shift();
      if (ending === 'crash') throw new Error('a defect');
      if (ending) throw new Failure(ending, `it ends with ${ending}`);
      return { id, secret: `the secret of ${what}` };
    }

    @HandleRequest(changeInSteps)
    inSteps(input: InputOf<typeof changeInSteps>) {
      return this.database.transaction(() => this.once(input));
    }
  }
  return ChangeHandlers;
}
