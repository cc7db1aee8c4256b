import { describe } from '@jest/globals';
import { startStandaloneSystem } from '#libs/testing';
import { crawlingOften, describeSystem } from './describe-system.ts';
import { useSystem } from './use-system.ts';

describe('the standalone system', () => {
  describeSystem(useSystem(() => startStandaloneSystem(crawlingOften)));
});
