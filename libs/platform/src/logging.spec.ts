import { describe, expect, it } from '@jest/globals';
import { createLogger } from './logging.ts';

describe('the log', () => {
  it('says what failed in the database, without what was in the statement', () => {
    const lines: string[] = [];
    const logger = createLogger('app', 'info', { write: (line) => lines.push(line) });
    const driverError = Object.assign(new Error('duplicate key'), { detail: 'Key (id)=(hunter2)' });
    const error = Object.assign(new Error('duplicate key'), {
      ...{ query: 'INSERT INTO users VALUES ($1)', parameters: ['hunter2'], code: '23505' },
      ...{ detail: driverError.detail, driverError },
    });
    logger.error({ err: error }, 'request failed');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      msg: 'request failed',
      err: { message: 'duplicate key', query: 'INSERT INTO users VALUES ($1)', code: '23505' },
    });
    expect(lines.join()).not.toContain('hunter2');
  });
});
