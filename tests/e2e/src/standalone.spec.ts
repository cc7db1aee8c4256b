import { describe } from '@jest/globals';
import { startStandaloneSystem } from '@registrar/standalone/testing';
import { frequentCrawls, describeSystem } from './describe-system.ts';
import { useSystem } from './use-system.ts';

describe('the standalone system', () => {
  describeSystem(useSystem(() => startStandaloneSystem(frequentCrawls)));
});
