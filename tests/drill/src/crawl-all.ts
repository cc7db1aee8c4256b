import { eventually } from '@registrar/testing';
import * as z from 'zod';

const timeoutMs = 180_000;

const sweeps = z.array(z.object({ registrations: z.string(), courses: z.string() }));

/**
 * Reads everything from all course providers, as the operator does after a restore; resolves when it is done.
 *
 * @param registrar runs the command line, and returns what it prints as JSON
 */
export async function crawlAll(registrar: (...words: string[]) => Promise<unknown>): Promise<void> {
  await registrar('crawl', 'all');
  await eventually(
    'every sweep is done',
    async () =>
      sweeps
        .parse(await registrar('crawl', 'status'))
        .every(({ registrations, courses }) => registrations === 'done' && courses === 'done'),
    { timeoutMs, intervalMs: 500 },
  );
}
