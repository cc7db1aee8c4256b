import { describe } from '@jest/globals';
import { chromiumForTests, type RunningSystem } from '#libs/testing';
import { readFileSync } from 'node:fs';
import { describeConformance } from '../conformance.ts';
import { describeMainJob } from '../main-job.ts';

// Run by e2e/image/run alone, which starts the containers.
const chromium = chromiumForTests();
const { QUICKSTART_FILE = '', PROVIDER_URL = '' } = process.env;
const system: Pick<RunningSystem, 'quickstart' | 'providerUrl'> = {
  quickstart: JSON.parse(readFileSync(QUICKSTART_FILE, 'utf8')) as RunningSystem['quickstart'],
  providerUrl: PROVIDER_URL,
};

describe('the system in containers', () => {
  const running = () => system as RunningSystem;
  if (chromium) describeMainJob(running, chromium);
  describeConformance(running);
});
