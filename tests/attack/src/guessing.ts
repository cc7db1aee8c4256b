import { LoadGenerator } from '@registrar/benchmarks/load';
import { randomBytes } from 'node:crypto';
import type { Attack } from './attack.ts';
import { bystanderOf } from './bystander.ts';
import { compareWithCalm, tooFewSuccesses } from './compare-with-calm.ts';
import { apiOf, form } from './http-client.ts';
import { sumOfMetric } from './sum-of-metric.ts';
import type { Target } from './target.ts';

const perSecond = 100;
/** Of this attack alone: they are refused for ten minutes afterwards. */
const addresses = ['127.0.2.1', '127.0.2.2', '127.0.2.3', '127.0.2.4'];
const minSuccess = 0.99;

/** Guesses the secrets of the bystander's realm, and API keys. */
export const guessing: Attack = {
  name: 'guessing',
  tried: `${perSecond} guesses a second of the bystander's own secret and of API keys, from ${addresses.length} addresses`,
  async run(target, { long }) {
    const bystander = await bystanderOf(target);
    const { realm_guid } = bystander.tenant.pair;
    const calls = Array.from({ length: 1_000 }, (_, at) => {
      const guess = randomBytes(24).toString('base64url');
      const access: Readonly<Record<string, string>> =
        at % 2 === 0 ? { api_key: `rgk_${guess}` } : { realm_guid, realm_secret_key: guess };
      return { url: `${apiOf(target)}/course.json?${form(access).toString()}` };
    });
    const countedBefore = await countGuesses(target);
    const generator = await LoadGenerator.start();
    generator.yieldProcessor();
    const size = { count: 1, seconds: long ? 60 : 2 };
    let successes = 0;
    try {
      const compared = await compareWithCalm(bystander, size, async () => {
        const { seconds } = size;
        const guesses = generator.offer({ calls, addresses, seconds, offered: { perSecond } });
        return async () => {
          successes += (await guesses).done.count;
        };
      });
      const counted = await countGuesses(target);
      return {
        violations: [
          ...Object.keys(counted)
            .filter((name) => !((counted[name] ?? 0) > (countedBefore[name] ?? 0)))
            .map((name) => `${name} has not increased`),
          ...tooFewSuccesses(compared, minSuccess),
          ...(successes === 0 ? [] : [`${successes} guesses were right`]),
        ],
        bystander: compared,
      };
    } finally {
      generator.stop();
    }
  },
};

const metrics = ['registrar_access_failures_total', 'registrar_access_slowed_total'];

/** What is counted of guesses, by the name of the metric. */
async function countGuesses(target: Target): Promise<Readonly<Record<string, number>>> {
  const counts = metrics.map(async (name) => [name, await sumOfMetric(target, name)] as const);
  return Object.fromEntries(await Promise.all(counts));
}
