import { describe } from '@jest/globals';
import { startStandaloneSystem } from '@registrar/standalone/testing';
import { frequentCrawls, describeSystem } from './describe-system.ts';
import { describeGuides, describeReadme } from './documentation.ts';
import { useSystem } from './use-system.ts';

describe('the standalone system', () => {
  const running = useSystem(() => startStandaloneSystem(frequentCrawls));
  describeReadme(running);
  describeGuides(running);
  describeSystem(running);
});
