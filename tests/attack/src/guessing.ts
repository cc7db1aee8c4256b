import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Attack } from './attack.ts';
import { bystanderOf } from './bystander.ts';
import { compareWithCalm, roundsOf, tooMuchTaken } from './compare-with-calm.ts';
import { startFlooding } from './flood.ts';
import { apiOf, form, HttpClient } from './http-client.ts';
import { sumOfMetric } from './sum-of-metric.ts';
import type { Target } from './target.ts';

const perSecond = 100;
/** Of this attack alone: further failures are delayed for ten minutes. */
const addresses = ['127.0.2.1', '127.0.2.2', '127.0.2.3', '127.0.2.4'];

/** Guesses the secrets of the bystander's realm, and API keys. */
export const guessing: Attack = {
  name: 'guessing',
  tried: `${perSecond} guesses a second of the bystander's own secret and of API keys, from ${addresses.length} addresses`,
  async run(target, options) {
    const bystander = await bystanderOf(target);
    const { realm_guid } = bystander.tenant.pair;
    const calls = Array.from({ length: 1_000 }, (_, at) => {
      const guess = randomBytes(24).toString('base64url');
      const access: Readonly<Record<string, string>> =
        at % 2 === 0 ? { api_key: `rgk_${guess}` } : { realm_guid, realm_secret_key: guess };
      return { url: `${apiOf(target)}/course.json?${form(access).toString()}` };
    });
    const countedBefore = await countGuesses(target);
    const neighbor = new NeighborOfGuesser(
      target,
      realm_guid,
      bystander.tenant.pair.realm_secret_key,
    );
    const generator = await startFlooding();
    let successes = 0;
    try {
      const guess = async (seconds: number) => {
        const guesses = generator.offer({ calls, addresses, seconds, offered: { perSecond } });
        const endCalls = neighbor.call();
        return async () => {
          successes += (await guesses).done.count;
          await endCalls();
        };
      };
      const compared = await compareWithCalm(bystander, roundsOf(options), guess, async () =>
        neighbor.call(),
      );
      const counted = await countGuesses(target);
      return {
        violations: [
          ...Object.keys(counted)
            .filter((name) => !((counted[name] ?? 0) > (countedBefore[name] ?? 0)))
            .map((name) => `${name} has not increased`),
          ...tooMuchTaken(compared),
          ...(neighbor.succeeded > 0 ? [] : ['no valid caller called at the address of a guesser']),
          ...neighbor.refused,
          ...(successes === 0 ? [] : [`${successes} guesses were right`]),
        ],
        bystander: compared,
      };
    } finally {
      generator.stop();
      neighbor.close();
    }
  },
};

/** Valid calls from the address of a guesser, such as those of another machine behind the same NAT. */
class NeighborOfGuesser {
  /** Calls that did not succeed. */
  readonly refused: string[] = [];
  succeeded = 0;
  readonly #client: HttpClient;
  readonly #pair: Readonly<Record<string, string>>;

  constructor(target: Target, realm_guid: string, realm_secret_key: string) {
    this.#client = new HttpClient(target, addresses[0] ?? '');
    this.#pair = { realm_guid, realm_secret_key };
  }

  /**
   * Calls with the pair, and with API keys that no gateway has seen before.
   *
   * @returns a function that ends the calls
   */
  call(): () => Promise<void> {
    const ending = new AbortController();
    const calls = this.#callUntil(ending.signal);
    return async () => {
      ending.abort();
      await calls;
    };
  }

  close(): void {
    this.#client.close();
  }

  async #callUntil(ending: AbortSignal): Promise<void> {
    while (!ending.aborted) {
      const created = await this.#call('a realm pair', '/api_key.json', form(this.#pair));
      const key = /rgk_[\w-]+/.exec(created)?.[0];
      if (key)
        await this.#call('a new API key', `/course.json?${form({ api_key: key }).toString()}`);
      await pause(100);
    }
  }

  /** @returns the body of the response */
  async #call(access: string, path: string, body?: URLSearchParams): Promise<string> {
    const { status, text } = await this.#client.call(path, body ? { body } : {});
    if (status >= 200 && status < 300) this.succeeded += 1;
    else this.refused.push(`${access} at the address of a guesser got ${status}`);
    return text;
  }
}

const metrics = ['registrar_access_failures_total', 'registrar_access_slowed_total'];

/** What is counted of guesses, by the name of the metric. */
async function countGuesses(target: Target): Promise<Readonly<Record<string, number>>> {
  const counts = metrics.map(async (name) => [name, await sumOfMetric(target, name)] as const);
  return Object.fromEntries(await Promise.all(counts));
}
