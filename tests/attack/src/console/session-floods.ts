import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { AttackOptions } from '../attack.ts';
import type { Observed } from '../bystander.ts';
import { type Begin, compareWithCalm, type Comparison, roundsOf } from '../compare-with-calm.ts';
import { forkAttacker, killAttacker } from '../fork-attacker.ts';
import { type ConsoleClient, ownHeaders } from './console-client.ts';
import type { OpenLoop } from './open-loop-process.ts';

/** Requests a second: of the session that is watched, of sign-ins, and of the other session. */
const rates = { bystander: 20, signIns: 100, calls: 200 };

const program = 'console/open-loop-process';

/**
 * Compares what a session notices while strangers sign in without end, and another session makes its calls without
 * pause, with calm times.
 *
 * @param realms the realm of the session that is watched, and that of the other one
 */
export async function compareSessionFloods(
  client: ConsoleClient,
  realms: { readonly own: string; readonly foreign: string },
  options: AttackOptions,
): Promise<Comparison> {
  const listsOf = async (name: string, realm: string): Promise<OpenLoop['requests']> => {
    const cookie = await client.cookieOf(name, [`reader:${realm}`]);
    return ['registrations.list', 'courses.list', 'session.show'].map((call) => ({
      url: `${client.url}/api/calls/${call}`,
      method: 'POST' as const,
      headers: { ...ownHeaders, cookie },
      body: JSON.stringify({ realm }),
    }));
  };
  const link = { url: `${client.url}/api/sign-in/link`, method: 'POST' as const };
  const signIns: OpenLoop['requests'] = [
    { ...link, headers: ownHeaders, body: JSON.stringify({ token: 'a'.repeat(43) }) },
    { url: `${client.url}/sign-in/openid?return=/`, method: 'GET', headers: {} },
  ];
  const watched = await listsOf('watched', realms.own);
  const calls = await listsOf('flooding', realms.foreign);
  const bystander = fork(fileURLToPath(new URL('./open-loop-process.js', import.meta.url)));
  await once(bystander, 'message');
  const [caller, stranger] = [await forkAttacker(program), await forkAttacker(program)];
  try {
    const flood: Begin = async (seconds) => {
      const both = [
        run(caller, { requests: calls, perSecond: rates.calls, seconds, address: '127.0.4.1' }),
        run(stranger, {
          requests: signIns,
          perSecond: rates.signIns,
          seconds,
          address: '127.0.4.2',
        }),
      ];
      return async () => void (await Promise.all(both));
    };
    const observer = {
      observe: (seconds: number) =>
        run(bystander, {
          requests: watched,
          perSecond: rates.bystander,
          seconds,
          address: '127.0.4.3',
        }),
    };
    return await compareWithCalm(observer, roundsOf(options), flood);
  } finally {
    await Promise.all([bystander, caller, stranger].map((each) => killAttacker(each)));
  }
}

async function run(child: ChildProcess, load: OpenLoop): Promise<readonly Observed[]> {
  const answered = once(child, 'message') as Promise<[readonly Observed[]]>;
  child.send(load);
  return (await answered)[0];
}
