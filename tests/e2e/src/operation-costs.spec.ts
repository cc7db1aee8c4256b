import { describe, expect, it } from 'vitest';
import { costBounds, isWithinBounds, measureOperationCosts } from './operation-costs.ts';

describe('the costs of operations', () => {
  it('a request of each main operation sends no more statements, transactions and messages than allowed', async () => {
    const costs = await measureOperationCosts();
    expect(costs.map(({ operation }) => operation)).toEqual(Object.keys(costBounds));
    // Whole, because the texts show what has been added.
    expect(costs.filter((cost) => !isWithinBounds(cost))).toEqual([]);
  });
});
