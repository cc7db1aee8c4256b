import { Writable } from 'node:stream';
import { createLogger, type Logger } from '@registrar/platform';

/**
 * Returns a logger and its output, parsed line by line.
 *
 * @param level the lowest level that is kept; a long run keeps less in memory with a higher one
 */
export function testLogger(
  app = 'test',
  level: 'trace' | 'error' = 'trace',
): {
  logger: Logger;
  lines(): Record<string, unknown>[];
} {
  const written: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written.push(chunk.toString('utf8'));
      done();
    },
  });
  return {
    logger: createLogger(app, level, destination),
    lines: () =>
      written
        .join('')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}
