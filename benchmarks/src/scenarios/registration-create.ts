import { compareSystems } from '../results.ts';
import { measureRounds } from '../rounds.ts';
import type { HttpLoad, HttpRequest } from '../load/http-load.ts';
import type { Comparison } from '../scenario.ts';
import type { Processes } from '../system/process-usage.ts';
import { providerAppId, useProviderRealm } from './provider-realm.ts';

const form = { 'content-type': 'application/x-www-form-urlencoded' };

export const registrationCreate: Comparison = {
  name: 'registration-create',
  measures: 'registration create with a provider that responds at once',
  run: async (installation) => {
    const { load, processes, bare } = installation;
    const { access, applicationId, provider, headers } = await useProviderRealm(installation);
    const wanted = `course_guid=${providerAppId}&learner_id=[<id>]@bench.example`;
    const measure = (
      request: HttpRequest,
      status: number,
      pace: HttpLoad['pace'],
      own: Processes,
    ) => load.measure({ requests: [{ method: 'POST', ...request }], pace, status }, own);
    const measureWith = (connections: number) =>
      measureRounds([
        {
          system: 'distributed',
          measure: () =>
            measure(
              { url: access.url('registration.json'), body: wanted, headers: form },
              201,
              { connections },
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
              { connections },
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
              { connections },
              { HTTP: { pids: [provider.pid] } },
            ),
        },
      ]);
    return [
      compareSystems('registration create, 16 connections', 'requests', await measureWith(16), [
        { figure: 'rate', baseline: 'bare', min: 0.12 },
        { figure: 'cpu', max: 4 },
      ]),
      compareSystems('registration create, 1 connection', 'requests', await measureWith(1), [
        { figure: 'p50Ms', max: 8 },
      ]),
    ];
  },
};
