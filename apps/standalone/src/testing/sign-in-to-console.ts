import type { StartedSystem } from './running-system.ts';

/**
 * Signs an operator in to the console of a system, by the link that its start has printed, which works once.
 *
 * @returns the header `Cookie` of the session
 */
export async function signInToConsole(
  system: Pick<StartedSystem, 'consoleUrl' | 'printed'>,
): Promise<string> {
  const { consoleUrl } = system;
  const [, token] = /\/sign-in#([\w-]+)/.exec(system.printed()) ?? [];
  if (token === undefined) throw new Error('the start printed no link to the console');
  const response = await fetch(`${consoleUrl}/api/sign-in/link`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  const [cookie] = response.headers.getSetCookie();
  if (cookie === undefined) throw new Error(`the link to the console got ${response.status}`);
  return cookie.split(';', 1)[0] ?? '';
}
