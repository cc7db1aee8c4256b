import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  eventually,
  findBrokerInstallation,
  managementUrls,
  type SupervisedProcess,
} from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startDistributed } from './start-distributed.ts';
import type { System } from './system.ts';

/** What clients read while a replica is frozen, through one gateway: each context serves some of it. */
const reads = ['registration', 'course', 'realm_user', 'invitation', 'template'] as const;
const create = 'registration create';
type Request = (typeof reads)[number] | typeof create;

/**
 * The apps of which one of two replicas is frozen, and what is sent meanwhile. For a create, enrolment asks the crawler
 * for a call of the provider. Creates that reach a frozen provider wait for its response, as at a hosted one.
 */
const frozenApps: readonly [app: string, load: readonly Request[]][] = [
  ['identity', reads],
  ['catalog', reads],
  ['enrolment', reads],
  ['crawler', [...reads, create]],
  ['provider', reads],
  ['gateway', reads],
];

/** The apps that get requests over the bus from the gateway, which repeats those that hang. */
const repeatedApps = new Set(['identity', 'catalog', 'enrolment']);

/** Requests of one realm in a second: a frozen replica gets as many as it may have within a second. */
const requestsPerSecond = 50;

/** How long the product takes to find out that the replica is frozen, and as long again for a busy machine: milliseconds. */
const boundMs = 4_000;

describeWith(
  findBrokerInstallation(),
  'one of two replicas that is frozen (SIGSTOP) under load',
  () => {
    const resources = new AsyncDisposableStack();
    let system: System;
    let access: string;
    let learners = 0;
    let management: string;

    beforeAll(async () => {
      system = await startDistributed(resources, { brokers: 1 });
      const { realm_guid, realm_secret_key } = system.facts;
      access = new URLSearchParams({ realm_guid, realm_secret_key }).toString();
      const log = () => readFile(join(system.directory, 'gateway-1.log'), 'utf8');
      management = (await managementUrls({ log })).get('gateway') ?? '';
    });
    afterAll(() => resources.disposeAsync());

    const replicaOf = (app: string): SupervisedProcess => {
      const found = system.processes.find(({ name }) => name === `${app}-2`);
      if (!found) throw new Error(`${app} has one replica`);
      return found;
    };
    const send = async (request: Request): Promise<number> => {
      const headers = { connection: 'close' };
      const root = system.baseUrls[0];
      const response =
        request === create
          ? await fetch(`${root}/registration.json?${access}`, {
              method: 'POST',
              headers,
              body: new URLSearchParams({
                learner_id: `learner-${(learners += 1)}@frozen.example`,
                course_guid: system.facts.course_guid,
              }),
            })
          : await fetch(`${root}/${request}.json?${access}&fields=id`, { headers });
      await response.arrayBuffer();
      return response.status;
    };
    const metrics = async () => (await fetch(`${management}/metrics`)).text();
    /** The number of responses by status and whose fault they are. */
    const responses = async () => {
      const counts = new Map<string, number>();
      for (const line of (await metrics()).split('\n')) {
        if (!line.startsWith('registrar_http_request_seconds_count{')) continue;
        const [, status] = /status="(\d+)"/.exec(line) ?? [];
        const [, fault] = /fault="(\w+)"/.exec(line) ?? [];
        const key = `${status} ${fault}`;
        counts.set(key, (counts.get(key) ?? 0) + Number(line.slice(line.lastIndexOf(' '))));
      }
      return counts;
    };
    /** Sends requests at a constant rate, whether earlier ones are answered or not, until it is stopped. */
    const startLoad = (load: readonly Request[]) => {
      const sent: Promise<{
        readonly request: Request;
        readonly begunAt: number;
        readonly status: number;
      }>[] = [];
      let isStopped = false;
      const sending = (async () => {
        for (let index = 0; !isStopped; index += 1) {
          const begunAt = performance.now();
          const request = load[index % load.length]!;
          sent.push(send(request).then((status) => ({ request, begunAt, status })));
          await pause(1_000 / requestsPerSecond);
        }
      })();
      return async () => {
        isStopped = true;
        await sending;
        return Promise.all(sent);
      };
    };

    it.each(frozenApps)(
      '%s: the other replica serves everything, and no failure is the client’s',
      async (app, load) => {
        await eventually('all is served', async () => {
          const statuses = await Promise.all(load.map(send));
          return statuses.every((status) => status < 300);
        });
        const before = await responses();
        const frozen = replicaOf(app);
        const stopLoad = startLoad(load);
        await pause(1_000);
        frozen.freeze();
        const frozenAt = performance.now();
        // Longer than it takes the broker to find out that the connection is dead.
        await pause(20_000);
        const answers = await stopLoad();
        frozen.resume();

        if (repeatedApps.has(app)) {
          expect(await metrics()).toMatch(/registrar_bus_repeated_total\{.*\} \d+/);
        }
        const failures = answers.filter(({ status }) => status >= 300);
        expect(failures.filter(({ begunAt }) => begunAt - frozenAt > boundMs)).toEqual([]);
        const after = await responses();
        const faults = [...after].filter(([key, count]) => count > (before.get(key) ?? 0));
        expect(faults.map(([key]) => key).filter((key) => key.endsWith(' client'))).toEqual([]);
        // The share that may fail: what was sent within the bound, of all that was sent in 21 seconds.
        expect(failures.length).toBeLessThan(answers.length * 0.2);
      },
    );
  },
);
