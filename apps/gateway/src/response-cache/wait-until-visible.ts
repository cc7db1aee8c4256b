import { clock } from '@registrar/platform';
import { versionLifetimeMs } from './catalog-versions.ts';

/** Clocks of two machines measure a pause differently, by much less than this: milliseconds. */
const marginMs = 10;

/**
 * Waits, after a change of the catalog, until no gateway uses a version from before it. So the client
 * that gets the answer, and everybody it tells, reads the change through whichever gateway.
 */
export async function waitUntilVisible(): Promise<void> {
  await clock.sleep(versionLifetimeMs + marginMs);
}
