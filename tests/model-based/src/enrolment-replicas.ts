import { startEnrolment } from '@registrar/enrolment';
import type { StartedApp } from '@registrar/bootstrap';
import { type BusTransport } from '@registrar/bus';
import {
  type EmailAddress,
  ensureUsers,
  Failure,
  findCourse,
  takeProviderCalls,
} from '@registrar/contracts';
import { generateMasterKey, type Logger } from '@registrar/platform';
import { stubReply, startStubContext, type TestBusApp } from '@registrar/bus/testing';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Replicas of enrolment with stubs of identity, the catalog and the crawler. */
export interface EnrolmentReplicas {
  /** The first replica; all replicas share one database. */
  readonly first: StartedApp;
  /** A stub that has an outbox and handles no requests. */
  readonly crawler: TestBusApp;
  stop(): Promise<void>;
}

/** @param on.databaseUrl an empty database */
export async function startEnrolmentReplicas(
  count: number,
  on: { databaseUrl: string; transport: BusTransport; logger: Logger },
): Promise<EnrolmentReplicas> {
  const { databaseUrl } = on;
  const directory = await mkdtemp(join(tmpdir(), 'registrar-models-'));
  const keyFile = join(directory, 'master.key');
  await writeFile(keyFile, generateMasterKey());
  const users = new Map<string, number>();
  const userOf = (email: EmailAddress) => {
    if (!users.has(email)) users.set(email, users.size + 1);
    return { userId: users.get(email)!, email };
  };
  const parts = { transport: on.transport, logger: on.logger };
  const apps = [
    await startStubContext(
      'identity',
      [stubReply(ensureUsers, async ({ emails }) => ({ users: emails.map(userOf) }))],
      parts,
    ),
    await startStubContext(
      'catalog',
      [
        stubReply(findCourse, async ({ applicationIds, courseGuid }) => {
          const [applicationId] = applicationIds;
          if (!applicationId) throw new Failure('not-found', 'no such course');
          return { courseId: 1, applicationId, courseGuid, title: courseGuid };
        }),
      ],
      parts,
    ),
  ];
  const crawler = await startStubContext(
    'crawler',
    [stubReply(takeProviderCalls, async ({ calls }) => ({ granted: calls, waitMs: 0 }))],
    { ...parts, databaseUrl },
  );
  apps.push(crawler);
  const replicas: StartedApp[] = [];
  while (replicas.length < count) {
    const settings = {
      DATABASE_URL: databaseUrl,
      MASTER_KEY_FILE: keyFile,
      LOG_LEVEL: 'error',
    } as const;
    replicas.push(await startEnrolment(settings, parts));
  }
  const [first] = replicas;
  if (!first) throw new Error('at least one replica is required');
  return {
    first,
    crawler,
    stop: async () => {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await Promise.all(apps.map((app) => app.stop()));
      await rm(directory, { recursive: true });
    },
  };
}
