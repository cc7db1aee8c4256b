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

/** Apps whose requests the gateway sends, of which one of two replicas is frozen. */
const contexts = ['identity', 'catalog', 'enrolment'] as const;

/** What clients read while a replica is frozen, through one gateway: each context serves some of it. */
const reads = ['registration', 'course', 'realm_user', 'invitation', 'template'] as const;

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
    let management: string;

    beforeAll(async () => {
      system = await startDistributed(resources, { brokers: 1 });
      const { realm_guid, realm_secret_key } = system.facts;
      access = new URLSearchParams({ realm_guid, realm_secret_key, fields: 'id' }).toString();
      const log = () => readFile(join(system.directory, 'gateway-1.log'), 'utf8');
      management = (await managementUrls({ log })).get('gateway') ?? '';
    });
    afterAll(() => resources.disposeAsync());

    const replicaOf = (app: string): SupervisedProcess => {
      const found = system.processes.find(({ name }) => name === `${app}-2`);
      if (!found) throw new Error(`${app} has one replica`);
      return found;
    };
    const get = async (what: string): Promise<number> => {
      const response = await fetch(`${system.baseUrls[0]}/${what}.json?${access}`, {
        headers: { connection: 'close' },
      });
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
    const startLoad = () => {
      const sent: Promise<{ readonly begunAt: number; readonly status: number }>[] = [];
      let isStopped = false;
      const sending = (async () => {
        for (let index = 0; !isStopped; index += 1) {
          const begunAt = performance.now();
          const what = reads[index % reads.length]!;
          sent.push(get(what).then((status) => ({ begunAt, status })));
          await pause(1_000 / requestsPerSecond);
        }
      })();
      return async () => {
        isStopped = true;
        await sending;
        return Promise.all(sent);
      };
    };

    it.each(contexts)(
      '%s: the other replica serves everything, and no failure is the client’s',
      async (app) => {
        await eventually('all is served', async () => {
          const statuses = await Promise.all(reads.map(get));
          return statuses.every((status) => status === 200);
        });
        const before = await responses();
        const frozen = replicaOf(app);
        const stopLoad = startLoad();
        await pause(1_000);
        frozen.freeze();
        const frozenAt = performance.now();
        // Longer than it takes the broker to find out that the connection is dead.
        await pause(20_000);
        const answers = await stopLoad();
        frozen.resume();

        const repeated = /registrar_bus_repeated_total\{.*\} \d+/.test(await metrics());
        expect(repeated).toBe(true);
        const failures = answers.filter(({ status }) => status !== 200);
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
