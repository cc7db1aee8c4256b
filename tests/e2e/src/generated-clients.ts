import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunningSystem } from '@registrar/standalone/testing';
import { codeBlocksOf } from '@registrar/testing';
import { ClientDeveloper } from './client-developer.ts';
import { fetchCalls, heyApiCalls } from './generated-client-calls.ts';

/** What the ten calls of each generated client print. */
const expected = {
  course: 'First aid basics',
  created: 'unknown',
  shown: true,
  listed: [true, true],
  updated: { department: 'sales', levels: [1, 2] },
  launched: true,
  invitation: ['first-aid-basics'],
  learners: 2,
  user: true,
  rows: true,
  missing: 404,
};

/**
 * Generates clients as docs/clients.md shows, compiles them strictly, and runs its programs and ten calls with
 * each.
 */
export function describeGeneratedClients(running: () => RunningSystem): void {
  describe('clients that are generated from the OpenAPI document', () => {
    let developer: ClientDeveloper;
    beforeEach(async () => {
      developer = await ClientDeveloper.create(running());
    });
    afterEach(() => developer.directory.remove());

    it.each([
      ['openapi-typescript and openapi-fetch', fetchCalls],
      ['Hey API', heyApiCalls],
    ])('a client of %s compiles strictly and makes ten calls', async (section, calls) => {
      const { directory } = developer;
      const blocks = codeBlocksOf('docs/clients.md').filter((block) => block.section === section);
      for (const [index, { language, text }] of blocks.entries()) {
        if (language === 'ts') {
          const isConfiguration = text.startsWith('export default');
          await directory.write(isConfiguration ? 'openapi-ts.config.ts' : 'program.ts', text);
        } else {
          expect([index, text]).toEqual([index, expect.stringMatching(/^npx /)]);
          await developer.run('sh', ['-c', text.replace(/^npx /, '')]);
        }
      }
      await directory.write('calls.ts', calls);
      await directory.compile();
      expect(await developer.run(process.execPath, ['program.ts'])).toMatch(/^[\da-f-]{36}\n$/);
      // The calls use the client of the program, which prints first.
      const printed = (await developer.run(process.execPath, ['calls.ts'])).trim().split('\n');
      expect(JSON.parse(printed.at(-1) ?? '')).toEqual(expected);
    });
  });
}
