import { type Load, LoadGenerator } from '@registrar/benchmarks/load';
import type { Begin } from './compare-with-calm.ts';

/** A source of requests that lets all other processes go first: in production it has processors of its own. */
export async function startFlooding(): Promise<LoadGenerator> {
  const generator = await LoadGenerator.start();
  generator.yieldProcessor();
  return generator;
}

/** A flood that begins with a half of a round, and is over when its seconds are. */
export const floodOf =
  (generator: LoadGenerator, load: Omit<Load, 'seconds'>): Begin =>
  async (seconds) => {
    const flood = generator.offer({ ...load, seconds });
    return async () => void (await flood);
  };
