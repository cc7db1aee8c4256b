import { setTimeout as pause } from 'node:timers/promises';
import type { Operation } from '../operations/operation.ts';
import { versionLifetimeMs } from './catalog-versions.ts';

/** Clocks of two machines measure a pause differently, by much less than this: milliseconds. */
const marginMs = 10;

/**
 * Waits, after a change of the catalog, until no gateway uses a version from before it. So the client
 * that gets the answer, and everybody it tells, reads the change through whichever gateway.
 */
export async function waitUntilVisible({ changesCatalog }: Operation): Promise<void> {
  if (changesCatalog) await pause(versionLifetimeMs + marginMs);
}
