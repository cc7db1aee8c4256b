import { describe, expect, it } from '@jest/globals';
import { crashFlow } from './crash-flow.ts';
import { flows } from './flows.ts';

describe('a process that fails or is killed at a call, and is started again', () => {
  // Each has a system of its own, and mostly waits for it.
  it.concurrent.each(flows)(
    'ends a $name as if nothing had happened',
    async (flow) => {
      const { strikes, broken } = await crashFlow(flow, null, 13);
      process.stdout.write(`${flow.name}: struck ${strikes} times\n`);
      expect(strikes).toBeGreaterThan(6);
      expect(broken).toEqual([]);
    },
    120_000,
  );
});
