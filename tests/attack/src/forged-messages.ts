import { busApps } from '@registrar/contracts';
import type { Attack } from './attack.ts';
import { allEvents, sendForgedEvents } from './forged-events.ts';
import { allRequests, sendForgedRequests } from './forged-requests.ts';
import { useForeignQueues } from './foreign-queues.ts';
import { Intruder } from './intruder.ts';
import { changedTables, countRows } from './row-counts.ts';

/** The apps that an intruder takes over, one after the other. The operator's command line may do everything. */
const intruders = busApps.filter((app) => app !== 'operator');

/** Uses the account of each app at the broker for what the app itself never does. */
export const forgedMessages: Attack = {
  name: 'forged-messages',
  tried:
    `${allRequests.length} requests and ${allEvents.length} events from the accounts of ${intruders.length} apps: ` +
    'without an account, with that of others, in the name of others, of others; the queues of others',
  needsBroker: true,
  async run(target, { long }) {
    const { broker } = target;
    if (!broker) throw new Error('the standalone form has no broker');
    const before = await countRows(target);
    const violations: string[] = [];
    for (const app of intruders) {
      const intruder = await Intruder.connect(broker, app);
      try {
        violations.push(
          ...(await sendForgedRequests(target, intruder)),
          ...(await sendForgedEvents(target, intruder)),
          ...(await useForeignQueues(intruder, long ? Infinity : 1)),
        );
      } finally {
        await intruder.close();
      }
    }
    return { violations: [...violations, ...(await changedTables(target, before))] };
  },
};
