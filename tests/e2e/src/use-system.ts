import { afterAll, beforeAll } from 'vitest';
import type { StartedSystem } from '@registrar/standalone/testing';

/** Starts a system before the tests of a block and disposes of it after them. */
export function useSystem(start: () => Promise<StartedSystem>): () => StartedSystem {
  let system: StartedSystem | undefined;
  beforeAll(async () => {
    system = await start();
  });
  afterAll(() => system?.dispose());
  return () => {
    if (!system) throw new Error('the system did not start');
    return system;
  };
}
