import type { Attack } from './attack.ts';
import { form, HttpClient, type HttpResponse } from './http-client.ts';
import { longListTenant } from './long-list-tenant.ts';
import { attackerAddresses } from './open-connections.ts';
import { courseUpload, samplePackage } from './tenant.ts';

const mebibyte = 1024 * 1024;

/** What the API may return to requests that are too large, too many or not allowed. */
const possible = [200, 201, 401, 408, 500, 503, 504];

/** How many of each request are sent at a time. */
const atOnce = { short: 3, long: 24 };

/** Sends the largest of everything. That no process exceeds its container's memory is watched during every attack. */
export const sizes: Attack = {
  name: 'sizes',
  tried:
    'the largest bodies with and without access, custom of 64 KiB and 7 MiB, lists of the longest records in each format, many uploads, all at once',
  async run(target, { long }) {
    const tenant = await longListTenant(target);
    const { pair, courseGuid } = tenant;
    const count = atOnce[long ? 'long' : 'short'];
    const clients = attackerAddresses(4).map((address) => new HttpClient(target, address));
    const access = form(pair).toString();
    const json = { 'content-type': 'application/json' };
    const registration = (custom: string) =>
      form({ ...pair, course_guid: courseGuid, learner_id: 'long@example.com', custom });
    const upload = courseUpload(tenant, 'many-uploads', await samplePackage());
    const large = JSON.stringify({ learners: 'x'.repeat(7.9 * mebibyte) });
    const requests: ((client: HttpClient) => Promise<HttpResponse>)[] = [
      (client) => client.call('/invitation/add_learners.json', { body: large, headers: json }),
      (client) =>
        client.call(`/invitation/add_learners.json?${access}`, { body: large, headers: json }),
      (client) => client.call('/registration.json', { body: registration('"'.repeat(64_000)) }),
      (client) => client.call('/registration.json', { body: registration('x'.repeat(7_000_000)) }),
      (client) => client.call('/course.json', { body: upload }),
      ...['json', 'xml', 'csv'].map(
        (format) => (client: HttpClient) => client.call(`/registration.${format}?${access}`),
      ),
    ];
    const answers = await Promise.all(
      Array.from({ length: count }, (_, round) =>
        requests.map((request) => request(clients[round % clients.length]!)),
      ).flat(),
    );
    for (const client of clients) client.close();
    const unexpected = answers.filter(({ status }) => !possible.includes(status));
    const counts = Map.groupBy(answers, ({ status }) => status);
    return {
      violations: unexpected.map(({ status }) => `a request returned ${status}`),
      detail: [...counts].map(([status, all]) => `${all.length} × ${status}`).join(', '),
    };
  },
};
