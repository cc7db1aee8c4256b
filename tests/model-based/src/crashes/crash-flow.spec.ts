import { describe, expect, it } from 'vitest';
import { crashFlow } from './crash-flow.ts';
import { flows } from './flows.ts';

describe('a process that fails or is killed at a call, and is restarted', () => {
  // Each flow has its own system and mostly waits for it.
  it.concurrent.each(flows)(
    'the flow "$name" has exactly its acknowledged effect',
    async (flow) => {
      const { injections, violations } = await crashFlow(flow, null, 11);
      process.stdout.write(`${flow.name}: ${injections} faults injected\n`);
      // Each kind of fault at least once.
      expect(injections).toBeGreaterThanOrEqual(4);
      expect(violations).toEqual([]);
    },
  );
});
