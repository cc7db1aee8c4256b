import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { programEnvironment } from '@registrar/testing';
import type { StartedSystem } from './running-system.ts';

/**
 * Signs an operator in to the console of a system.
 *
 * @param link a link that signs in once; by default the one that the system's start has printed
 * @returns the header `Cookie` of the session
 */
export async function signInToConsole(
  { consoleUrl, printed }: Pick<StartedSystem, 'consoleUrl' | 'printed'>,
  link = printed(),
): Promise<string> {
  const [, token] = /\/sign-in#([\w-]+)/.exec(link) ?? [];
  if (token === undefined) throw new Error('there is no link to the console');
  const response = await fetch(`${consoleUrl}/api/sign-in/link`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  const [cookie] = response.headers.getSetCookie();
  if (cookie === undefined) throw new Error(`the link to the console got ${response.status}`);
  return cookie.split(';', 1)[0] ?? '';
}

/** Makes a link that signs an operator in once, as a platform team does beside the distributed form. */
export async function createSignInLink(
  system: Pick<StartedSystem, 'consoleUrl' | 'databaseUrl'>,
): Promise<string> {
  const program = join(import.meta.dirname, '../../../console/dist/main.js');
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'sign-in-link'], {
    env: {
      ...programEnvironment(),
      DATABASE_URL: system.databaseUrl ?? '',
      CONSOLE_URL: system.consoleUrl,
    },
  });
  return stdout.trim();
}
