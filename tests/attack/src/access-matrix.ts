import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import type { Attack } from './attack.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');

/** Characters of the message of a failed case. */
const maxShown = 1_000;

/** The part of Jest's results that is read. */
const results = z.object({
  numPassedTests: z.int(),
  testResults: z.array(
    z.object({
      message: z.string(),
      assertionResults: z.array(
        z.object({
          status: z.string(),
          fullName: z.string(),
          failureMessages: z.array(z.string()),
        }),
      ),
    }),
  ),
});

/** Every operation with every access, on own items, those of others and missing ones: the suite of tests/e2e. */
export const accessMatrix: Attack = {
  name: 'matrix',
  tried: 'every operation × every kind of access × own, foreign and missing items, in two realms',
  async run(target) {
    const { quickstart, providerUrl, brokerUrl, namespace, dataDirectory, databaseUrl } = target;
    const systemFile = join(dataDirectory, 'system.json');
    const resultFile = join(dataDirectory, 'matrix.json');
    const facts = { quickstart, providerUrl, brokerUrl, namespace, dataDirectory, databaseUrl };
    await writeFile(systemFile, JSON.stringify(facts), { mode: 0o600 });
    const options = [
      '--project',
      'access-matrix',
      '--reporter',
      'json',
      '--outputFile',
      resultFile,
    ];
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    await run(process.execPath, [vitest, 'run', ...options], {
      cwd: root,
      env: { ...process.env, SYSTEM_FILE: systemFile },
      maxBuffer: Infinity,
      // Vitest's exit code is 1 when a case fails; the file has the results.
    }).catch(() => undefined);
    const { numPassedTests, testResults } = results.parse(
      JSON.parse(await readFile(resultFile, 'utf8')),
    );
    const failed = testResults.flatMap(({ assertionResults, message }) => {
      if (assertionResults.length === 0) return [message];
      return assertionResults
        .filter(({ status }) => status === 'failed')
        .map(
          ({ fullName, failureMessages }) =>
            `${fullName}: ${failureMessages.join('\n').slice(0, maxShown)}`,
        );
    });
    return { violations: failed, detail: `  ${numPassedTests} cases passed` };
  },
};
