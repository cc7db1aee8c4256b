import { describe } from 'vitest';
import { startStandaloneSystem } from '@registrar/standalone/testing';
import { describeGuides, describeReadme } from './documentation.ts';
import { useSystem } from './use-system.ts';

// The pages describe a fresh system.
describe('the documentation', () => {
  const running = useSystem(() => startStandaloneSystem());
  describeReadme(running);
  describeGuides(running);
});
