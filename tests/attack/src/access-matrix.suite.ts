import { describe } from 'vitest';
import { describeAccessMatrix } from '@registrar/e2e';
import type { RunningSystem } from '@registrar/standalone/testing';
import { readFileSync } from 'node:fs';

// Run by access-matrix.ts alone, which starts the system and writes the file.
const { SYSTEM_FILE = '' } = process.env;
type Facts = Omit<RunningSystem, 'processes' | 'log'>;
const system: RunningSystem = {
  ...(JSON.parse(readFileSync(SYSTEM_FILE, 'utf8')) as Facts),
  processes: () => [],
  log: () => Promise.reject(new Error('the matrix reads no log')),
};

describe('the attacked system', () => {
  describeAccessMatrix(() => system);
});
