import { afterAll, beforeAll } from '@jest/globals';
import type { RunningSystem, StartedSystem } from '#libs/testing';

/** A system for the tests of a block: started before them, disposed of after. */
export function useSystem(start: () => Promise<StartedSystem>): () => RunningSystem {
  let system: StartedSystem | undefined;
  beforeAll(async () => {
    system = await start();
  }, 60_000);
  afterAll(() => system?.dispose(), 60_000);
  return () => {
    if (!system) throw new Error('the system did not start');
    return system;
  };
}
