import { startDistributedSystem, startTcpProxy, type TcpProxy } from '#libs/testing';
import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Stores } from './main.ts';

const run = promisify(execFile);

/** One request as its client saw it; `begun` and `ended` by the clock of `performance`. */
export interface Seen {
  readonly begun: number;
  readonly ended: number;
  /** 0 for a connection that broke. */
  readonly status: number;
}

/** A distributed system that can be broken in places. */
export interface FaultySystem {
  /** The gateway's way to the broker. */
  readonly broker: TcpProxy;
  /** Catalog's way to its database. */
  readonly catalogDatabase: TcpProxy;
  /** Asks for something of a context: catalog, enrolment or identity. */
  ask(what: 'course' | 'registration' | 'realm_user'): Promise<Seen>;
  /** Resolves when everything is answered again. */
  recovered(): Promise<void>;
  /** SIGSTOP or SIGCONT to the process of an app. */
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
  });
  const { base_url, realm_guid, realm_secret_key } = system.quickstart;
  const access = new URLSearchParams({ realm_guid, realm_secret_key, fields: 'id' }).toString();
  const ask = async (what: string): Promise<Seen> => {
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
    ask,
    recovered: async () => {
      for (const what of ['course', 'registration', 'realm_user']) {
        while ((await ask(what)).status !== 200) await pause(100);
      }
    },
    signal: async (app, signal) => {
      const pids = system.processes().join(',');
      const { stdout } = await run('ps', ['-o', 'pid=,args=', '-p', pids]);
      const child = new RegExp(`^ *(\\d+) .*/${app}/`, 'm').exec(stdout);
      if (!child) throw new Error(`${app} does not run`);
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
