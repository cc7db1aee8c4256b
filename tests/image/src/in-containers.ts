import { describe } from 'vitest';
import type { RunningSystem } from '@registrar/standalone/testing';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describeAccessMatrix, describeScale } from '@registrar/e2e';
import { describeReadme } from '@registrar/e2e';
import { describeSystem } from '@registrar/e2e';
import { testBrokerUrl } from '@registrar/testing';

// Run by tests/image/run alone, which starts the containers.
const { QUICKSTART_FILE = '', PROVIDER_URL = '', LOG_COMMAND = '', PROCESSES = '' } = process.env;
const run = promisify(execFile);
const system: RunningSystem = {
  quickstart: JSON.parse(readFileSync(QUICKSTART_FILE, 'utf8')) as RunningSystem['quickstart'],
  providerUrl: PROVIDER_URL,
  brokerUrl: testBrokerUrl,
  namespace: 'registrar',
  dataDirectory: null,
  databaseUrl: null,
  processes: () => PROCESSES.split(' ').map(Number),
  log: async () => (await run('sh', ['-c', LOG_COMMAND], { maxBuffer: Infinity })).stdout,
};

describe('the system in containers', () => {
  describeReadme(() => system);
  describeSystem(() => system);
  describeAccessMatrix(() => system);
  describeScale(() => system);
});
