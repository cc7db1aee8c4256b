import { startDistributedSystem } from '@registrar/standalone/testing';
import { eventually, highRequestLimits, startTcpProxy, type TcpProxy } from '@registrar/testing';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Stores } from '../scenario.ts';

const run = promisify(execFile);

/** One request as its client saw it. `begun` and `ended` are times of `performance.now()`. */
export interface ObservedRequest {
  readonly begun: number;
  readonly ended: number;
  /** The status; 0 for a broken connection. */
  readonly status: number;
}

/** A distributed system with proxies for fault injection. */
export interface FaultySystem {
  /** The proxy between the gateway and the broker. */
  readonly broker: TcpProxy;
  /** The proxy between the catalog and its database. */
  readonly catalogDatabase: TcpProxy;
  /** Sends a request that catalog, enrolment or identity serves. */
  send(what: 'course' | 'registration' | 'realm_user'): Promise<ObservedRequest>;
  /** Waits until every context returns 200. */
  waitForRecovery(): Promise<void>;
  /** Sends SIGSTOP or SIGCONT to the process of an app. */
  signal(app: string, signal: 'SIGSTOP' | 'SIGCONT'): Promise<void>;
  dispose(): Promise<void>;
}

export async function startFaultySystem({ databaseUrl, brokerUrl }: Stores): Promise<FaultySystem> {
  const broker = await startTcpProxy(brokerUrl);
  const catalogDatabase = await startTcpProxy(databaseUrl);
  const system = await startDistributedSystem(brokerUrl, {
    DATABASE_URL: databaseUrl,
    GATEWAY_AMQP_URL: broker.url,
    CATALOG_DATABASE_URL: catalogDatabase.url,
    LOG_LEVEL: 'error',
    ...highRequestLimits,
  });
  const { base_url, realm_guid, realm_secret_key } = system.quickstart;
  const access = new URLSearchParams({ realm_guid, realm_secret_key, fields: 'id' }).toString();
  const send = async (what: string): Promise<ObservedRequest> => {
    const begun = performance.now();
    let status = 0;
    try {
      const response = await fetch(`${base_url}/${what}.json?${access}`);
      await response.arrayBuffer();
      ({ status } = response);
    } catch {
      // The connection broke.
    }
    return { begun, ended: performance.now(), status };
  };
  return {
    broker,
    catalogDatabase,
    send,
    waitForRecovery: async () => {
      for (const what of ['course', 'registration', 'realm_user']) {
        await eventually(
          `${what} index returns 200`,
          async () => (await send(what)).status === 200,
          {
            timeoutMs: 120_000,
            intervalMs: 100,
          },
        );
      }
    },
    signal: async (app, signal) => {
      const pids = system.processes().join(',');
      const { stdout } = await run('ps', ['-o', 'pid=,args=', '-p', pids]);
      const child = new RegExp(`^ *(\\d+) .*/${app}/`, 'm').exec(stdout);
      if (!child) throw new Error(`${app} has no process`);
      process.kill(Number(child[1]), signal);
    },
    dispose: async () => {
      broker.restore();
      catalogDatabase.restore();
      await system.dispose();
      await broker.close();
      await catalogDatabase.close();
    },
  };
}
