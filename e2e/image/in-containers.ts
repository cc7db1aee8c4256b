import { describe } from '@jest/globals';
import type { RunningSystem } from '#libs/testing';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describeSystem } from '../describe-system.ts';

// Run by e2e/image/run alone, which starts the containers.
const { QUICKSTART_FILE = '', PROVIDER_URL = '', LOG_COMMAND = '' } = process.env;
const system: Pick<RunningSystem, 'quickstart' | 'providerUrl' | 'log'> = {
  quickstart: JSON.parse(readFileSync(QUICKSTART_FILE, 'utf8')) as RunningSystem['quickstart'],
  providerUrl: PROVIDER_URL,
  log: async () => (await promisify(execFile)('sh', ['-c', LOG_COMMAND])).stdout,
};

describe('the system in containers', () => {
  describeSystem(() => system as RunningSystem);
});
