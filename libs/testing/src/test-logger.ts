import { Writable } from 'node:stream';
import { createLogger, type Logger } from '@registrar/platform';

/** Returns a logger and its output, parsed line by line. */
export function testLogger(app = 'test'): {
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
    logger: createLogger(app, 'trace', destination),
    lines: () =>
      written
        .join('')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}
