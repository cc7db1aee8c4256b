import { expect, it } from 'vitest';
import { findBroker } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { readYourWrites } from './read-your-writes.ts';

describeWith(
  await findBroker(),
  'responses that two gateways keep of two replicas of the catalog',
  (brokerUrl) => {
    it('lists show every change that was answered before they were asked for', async () => {
      const size = { writers: 4, readers: 8, writes: 20 };
      const { writes, reads, violations } = await readYourWrites(size, brokerUrl);
      expect(violations).toEqual([]);
      expect(writes).toBe(80);
      expect(reads).toBeGreaterThan(writes);
    });
  },
);
