import { randomUUID } from 'node:crypto';
import type { EventContract } from '@registrar/contracts';
import type { Database } from '@registrar/persistence';
import { ArrivedEvents } from '../arrived-events.ts';
import type { EventsOf, PayloadOf } from '../handlers.ts';

/** Returns events with these payloads as the handler of many events at a time gets them. */
export const arrivedEvents = <Contract extends EventContract>(
  database: Database,
  { name }: Contract,
  payloads: readonly PayloadOf<Contract>[],
): EventsOf<Contract> =>
  new ArrivedEvents(
    database,
    payloads.map((payload) => ({ messageId: randomUUID(), name, payload, requestId: 'suite' })),
  );
