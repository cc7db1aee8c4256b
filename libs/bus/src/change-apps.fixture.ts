import { defineEvent, defineRequest, Failure, type FailureCode } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Controller, type Type } from '@nestjs/common';
import { once } from 'node:events';
import * as z from 'zod';
import type { Stage } from './bus-apps.fixture.ts';
import { HandleRequest, type InputOf } from './handlers.ts';
import { Outbox } from './outbox.ts';

const input = z.object({
  what: z.string(),
  /** Does not name the change: it may differ when the change is repeated. */
  scope: z.object({ reach: z.number() }).optional(),
  /** Waits, with the effect written, until the suite says so. */
  until: z.string().optional(),
});
const reply = z.object({ id: z.number(), secret: z.string() });

export const changed = defineEvent('catalog.changed', {
  payload: z.object({ what: z.string() }),
  subscribers: [],
});
export const changeOnce = defineRequest('catalog.change-once', { input, reply, changes: 'once' });
export const changeInSteps = defineRequest('catalog.change-in-steps', {
  input,
  reply,
  changes: 'resumed',
});

/** How the next handlings of a change end, first to last, when not well. */
export type Endings = Map<string, (FailureCode | 'crash')[]>;

/** The handlers of changes: each adds to a table, so that one with two effects would show. */
export function changeHandlers({ told }: Stage, endings: Endings): Type {
  @Controller()
  class ChangeHandlers {
    constructor(
      private readonly database: Database,
      private readonly outbox: Outbox,
    ) {}

    @HandleRequest(changeOnce)
    async once({ what, until }: InputOf<typeof changeOnce>) {
      const [row] = await this.database.query<{ id: number }>(
        'INSERT INTO effects (what) VALUES ($1) RETURNING id',
        [what],
      );
      await this.outbox.publish(changed, { what });
      if (until) {
        told.emit(`changing ${what}`);
        await once(told, until);
      }
      const ending = endings.get(what)?.shift();
      if (ending === 'crash') throw new Error('a defect');
      if (ending) throw new Failure(ending, `it ends with ${ending}`);
      return { id: row?.id ?? NaN, secret: `the secret of ${what}` };
    }

    @HandleRequest(changeInSteps)
    inSteps(asked: InputOf<typeof changeInSteps>) {
      return this.database.transaction(() => this.once(asked));
    }
  }
  return ChangeHandlers;
}
