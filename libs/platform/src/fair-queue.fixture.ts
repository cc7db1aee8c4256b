import { Failure } from '@registrar/contracts';
import { FairQueue, type FairQueueLimits, type Owner } from './fair-queue.ts';

export const limits: FairQueueLimits = {
  running: 2,
  runningOfRealm: 1,
  waiting: 8,
  waitingOfRealm: 4,
  maxWaitMs: 60_000,
};
/** A queue of two places, one for a realm. */
export const newQueue = (parts: Partial<FairQueueLimits> = {}) =>
  new FairQueue(
    { ...limits, ...parts },
    ({ cause }) => new Failure(cause === 'realm' ? 'over-limit' : 'overloaded', 'rejected'),
  );
export const owner = (realmId: number, key = 'a'): Owner => ({ realmId, key });

/** Work that the test ends. */
export function startWork(queue: FairQueue) {
  const begun: string[] = [];
  const running = new Map<string, () => void>();
  const add = (name: string, by: Owner, isOptional = true) =>
    queue.run(
      by,
      async () => {
        begun.push(name);
        await new Promise<void>((resolve) => running.set(name, resolve));
      },
      isOptional,
    );
  const end = async (name: string) => {
    running.get(name)?.();
    // The next work begins within some microtasks.
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { begun, add, end };
}
