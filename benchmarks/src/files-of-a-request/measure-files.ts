import { startDistributedSystem } from '@registrar/standalone/testing';
import { DedicatedBroker } from '@registrar/testing';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PromiseResult } from '../promises/report.ts';
import { ApiAccess } from '../system/api-access.ts';
import { directoryVariable } from './executed-files.ts';
import { FileCounter } from './file-counter.ts';

/** More than this is hard to read: files of a registration index, in the gateway and in enrolment together. */
const maxFiles = 60;

/**
 * Lists the files of this repository whose functions a request calls, from the socket of the client to PostgreSQL and
 * back, when its access has been looked up before: of a registration index, which must stay within {@link maxFiles},
 * and of a registration create.
 */
export async function measureFilesOfARequest(
  databaseUrl: string,
  say: (text: string) => void,
): Promise<PromiseResult[]> {
  const broker = await DedicatedBroker.start();
  const directory = await mkdtemp(join(tmpdir(), 'registrar-files-'));
  const probe = new URL('./executed-files.js', import.meta.url).href;
  const system = await startDistributedSystem(broker.url, {
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'fatal',
    NODE_ENV: 'production',
    CRAWL_INTERVAL_SECONDS: '86400',
    NODE_OPTIONS: `--import=${probe}`,
    [directoryVariable]: directory,
  });
  try {
    const access = await ApiAccess.create(system.quickstart);
    const url = access.url('registration.json');
    const { course_guid } = system.quickstart;
    const counter = new FileCounter(directory, system.processes());
    const index = await counter.measure({
      name: 'registration index',
      status: 200,
      send: () => fetch(url),
    });
    const create = await counter.measure({
      name: 'registration create',
      status: 201,
      send: () =>
        fetch(url, {
          method: 'POST',
          body: new URLSearchParams({ course_guid, learner_id: `${randomUUID()}@bench.example` }),
        }),
    });
    for (const each of [index, create]) say(each.report);
    return [
      {
        promise: `a request for registrations calls functions of at most ${maxFiles} files`,
        measured: `${index.files} files, which have ${index.lines} lines`,
        kept: index.files <= maxFiles,
      },
    ];
  } finally {
    await system.dispose();
    await broker.dispose();
    await rm(directory, { recursive: true });
  }
}
