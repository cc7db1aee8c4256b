import { describe, expect, it } from '@jest/globals';
import { testConvergence } from './crawl-convergence.ts';

describe('crawl events, in generated orders, with repetition, loss and later replay', () => {
  it('end in the newest result of each registration', async () => {
    const { schedules, diverged, seed } = await testConvergence({ batches: 3, batchSize: 100 });
    expect({ schedules, diverged, seed }).toEqual({ schedules: 300, diverged: [], seed });
  }, 60_000);
});
