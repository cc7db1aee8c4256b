import { compareSystems } from '../results.ts';
import { measureRounds } from '../rounds.ts';
import type { HttpRequest } from '../load/http-load.ts';
import type { Comparison } from '../scenario.ts';
import type { Processes } from '../system/process-usage.ts';
import { providerAppId, useProviderRealm } from './provider-realm.ts';

const connections = 16;
const form = { 'content-type': 'application/x-www-form-urlencoded' };

export const registrationCreate: Comparison = {
  name: 'registration-create',
  measures: 'registration create with a provider that responds at once',
  run: async (installation) => {
    const { load, processes, bare } = installation;
    const { access, applicationId, provider, headers } = await useProviderRealm(installation);
    const wanted = `course_guid=${providerAppId}&learner_id=[<id>]@bench.example`;
    const measure = (request: HttpRequest, status: number, own: Processes) =>
      load.measure(
        { requests: [{ method: 'POST', ...request }], pace: { connections }, status },
        own,
      );
    const rounds = await measureRounds([
      {
        system: 'distributed',
        measure: () =>
          measure(
            { url: access.url('registration.json'), body: wanted, headers: form },
            201,
            processes.distributed,
          ),
      },
      {
        system: 'bare',
        measure: () =>
          measure(
            {
              url: `${bare.url}/registration.json`,
              body: `application=${applicationId}&${wanted}`,
              headers: form,
            },
            201,
            processes.bare,
          ),
      },
      {
        system: 'provider',
        measure: () =>
          measure(
            {
              url: `${provider.url}/api/v2/registrations`,
              body: `{"registrationId":"[<id>]","courseId":"${providerAppId}","learner":{"id":"[<id>]"}}`,
              headers,
            },
            204,
            { HTTP: { pids: [provider.pid] } },
          ),
      },
    ]);
    const targets = [
      { figure: 'rate', baseline: 'bare', min: 0.5 },
      { figure: 'p50Ms', baseline: 'provider', isDifference: true, max: 8 },
    ] as const;
    return [
      compareSystems(
        `registration create, ${connections} connections`,
        'requests',
        rounds,
        targets,
      ),
    ];
  },
};
