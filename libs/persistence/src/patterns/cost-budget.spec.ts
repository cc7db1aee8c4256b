import { describe, expect, it } from '@jest/globals';
import { CostBudget } from './cost-budget.ts';

describe('the budget of regular expressions', () => {
  it('is spent by each account of its own, and comes back with time', () => {
    let now = 0;
    const budget = new CostBudget({ capacityMs: 1_000, refillMsPerSecond: 100 }, () => now);
    budget.spend('a', 900);
    expect(budget.hasLeft('a')).toBe(true);
    budget.spend('a', 600);
    expect([budget.hasLeft('a'), budget.hasLeft('b')]).toEqual([false, true]);
    now = 5_000;
    expect(budget.hasLeft('a')).toBe(false);
    now = 5_001;
    expect(budget.hasLeft('a')).toBe(true);
    now = 60_000;
    budget.spend('a', 999);
    expect(budget.hasLeft('a')).toBe(true);
  });

  it('costs nothing below zero', () => {
    const budget = new CostBudget({ capacityMs: 1, refillMsPerSecond: 0 });
    budget.spend('a', -50);
    expect(budget.hasLeft('a')).toBe(true);
  });
});
