import { type BusClient } from '@registrar/bus';
import {
  type Context,
  Failure,
  parkedEventRequests,
  parkedEventId,
  type ParkedEventSummary,
} from '@registrar/contracts';
import * as z from 'zod';
import { argumentOf } from './arguments.ts';
import { addCommand, type OperatorCommand } from './command.ts';
import type { Items } from './output.ts';

const contexts = Object.keys(parkedEventRequests) as Context[];
const contextArgument = argumentOf(
  z.enum(contexts, { error: `It is none of ${contexts.join(', ')}.` }),
);

/** `registrar parked`: events that could not be handled, or could not be sent. */
export function addParkedCommands(program: OperatorCommand): void {
  const parked = program
    .command('parked')
    .description('look at parked events, replay or drop them');
  /** A command about one event, which its context and its id name. */
  const aboutOne = (name: string, description: string) =>
    addCommand(parked, name, { description, examples: [`parked ${name} enrolment in-7`] })
      .argument('<context>', 'the app that has parked it', contextArgument)
      .argument('<id>', 'its id, as list shows it', argumentOf(parkedEventId));

  addCommand(parked, 'list', {
    description: 'list the parked events of all apps, or of one',
    examples: ['parked list', 'parked list --context enrolment --json'],
  })
    .option('--context <name>', 'only those of this app', contextArgument)
    .handle(async ({ output, ask }, options: { context?: Context }) => {
      const wanted = options.context ? [options.context] : contexts;
      const columns = ['context', 'id', 'event', 'attempts', 'parked_at', 'reason'] as const;
      const away: Context[] = [];
      await ask((bus) => output.list(parkedOf(bus, wanted, away), columns));
      if (away.length > 0) {
        throw new Failure(
          'unavailable',
          `the list is incomplete: no reply from ${away.join(', ')}`,
        );
      }
    });

  aboutOne('inspect', 'show a parked event with its content, which may tell of people').handle(
    async ({ output, ask }, context: Context, id: string) => {
      const { inspect } = parkedEventRequests[context];
      await output.record(await ask((bus) => bus.request(inspect, { id })));
    },
  );

  aboutOne('replay', 'handle a parked event now, or send it on its way again').handle(
    async ({ output, ask }, context: Context, id: string) => {
      const { replay } = parkedEventRequests[context];
      await ask((bus) => bus.request(replay, { id }));
      await output.record({ context, id, replayed: true });
    },
  );

  aboutOne('drop', 'forget a parked event for good').handle(
    async ({ output, ask }, context: Context, id: string) => {
      const { drop } = parkedEventRequests[context];
      await ask((bus) => bus.request(drop, { id }));
      await output.record({ context, id, dropped: true });
    },
  );
}

/** Lists the parked events of apps, and adds those that do not reply to `away`. */
async function* parkedOf(
  bus: BusClient,
  wanted: readonly Context[],
  away: Context[],
): AsyncIterable<Items<ParkedEventSummary>> {
  let isEmpty = true;
  for (const context of wanted) {
    try {
      for await (const { items: page } of bus.pages(parkedEventRequests[context].list, {})) {
        // A table takes its widths from its first page.
        if (page.length === 0) continue;
        isEmpty = false;
        yield { items: page };
      }
    } catch (error) {
      if (Failure.from(error).code !== 'unavailable') throw error;
      away.push(context);
    }
  }
  if (isEmpty) yield { items: [] };
}
