import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logFile, logFilesOf } from './log-file.ts';

describe('a log file', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'log-file-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('a full log file is renamed, and the oldest one is replaced', async () => {
    const path = join(directory, 'log');
    const log = logFile(path, { bytes: 20, kept: 2 });
    const files = [`${path}.2`, `${path}.1`, path];
    const written = () =>
      files.map((each) => (existsSync(each) ? readFileSync(each, 'utf8') : '')).join('');
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index}\n`);
    for (const line of lines) {
      log.write(line);
      await vi.waitUntil(() => written().endsWith(line));
    }
    await vi.waitUntil(() => existsSync(path));
    expect(readdirSync(directory).toSorted()).toEqual(['log', 'log.1', 'log.2']);
    expect(lines.join('').endsWith(written())).toBe(true);
    expect(written().length).toBeLessThan(lines.join('').length / 2);
  });

  it('a log file and its predecessors are listed oldest first', () => {
    const files = logFilesOf('log');
    expect(files).toHaveLength(16);
    expect([files.at(0), ...files.slice(-3)]).toEqual(['log.15', 'log.2', 'log.1', 'log']);
  });
});
