import { compareSystems } from '../results.ts';
import { measureRounds } from '../rounds.ts';
import type { HttpLoad } from '../load/http-load.ts';
import type { Comparison } from '../scenario.ts';
import { providerAppId, useProviderRealm } from './provider-realm.ts';

/** Registrations that are launched in turn. */
const registrationCount = 50;

export const launchUrl: Comparison = {
  name: 'launch-url',
  measures: 'launch_url with a provider that responds at once',
  run: async (installation) => {
    const { load, processes } = installation;
    const { access, provider, headers } = await useProviderRealm(installation);
    const guids: string[] = [];
    for (let place = 0; place < registrationCount; place += 1) {
      const learner_id = `launched-${place}@bench.example`;
      const body = new URLSearchParams({ course_guid: providerAppId, learner_id });
      const response = await fetch(access.url('registration.json'), { method: 'POST', body });
      if (response.status !== 201) throw new Error(`create returned ${response.status}`);
      guids.push(((await response.json()) as { registration_guid: string }).registration_guid);
    }
    const one = { pace: { connections: 1 }, status: 200 } as const;
    const ours: HttpLoad = {
      ...one,
      requests: guids.map((guid) => ({ url: access.url(`registration/${guid}/launch_url.json`) })),
    };
    const atProvider: HttpLoad = {
      ...one,
      requests: guids.map((guid) => ({
        url: `${provider.url}/api/v2/registrations/${guid}/launchLink`,
        method: 'POST',
        headers,
        body: '{"expiry":120}',
      })),
    };
    const rounds = await measureRounds([
      { system: 'distributed', measure: () => load.measure(ours, processes.distributed) },
      {
        system: 'provider',
        measure: () => load.measure(atProvider, { HTTP: { pids: [provider.pid] } }),
      },
    ]);
    const targets = [
      { figure: 'p50Ms', baseline: 'provider', isDifference: true, max: 4 },
    ] as const;
    return [compareSystems('launch_url, 1 connection', 'requests', rounds, targets)];
  },
};
