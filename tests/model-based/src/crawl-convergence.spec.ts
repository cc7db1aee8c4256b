import { describe, expect, it } from 'vitest';
import { testConvergence } from './crawl-convergence.ts';

describe('crawl events that are reordered, repeated, lost and later replayed', () => {
  it('converge to the newest result of each registration', async () => {
    const { schedules, diverged, seed } = await testConvergence({ batches: 3, batchSize: 100 });
    expect({ schedules, diverged, seed }).toEqual({ schedules: 300, diverged: [], seed });
  });
});
