import { BusClient, rabbitMqTransport } from '@registrar/bus';
import {
  addLearners,
  emailAddress,
  Failure,
  indexInvitations,
  type InvitationRecord,
} from '@registrar/contracts';
import { createLogger, runInRequestContext } from '@registrar/platform';
import { deleteNamespace } from '@registrar/bus/testing';
import { createTestDatabase } from '@registrar/testing';
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createLicense, scope, startClient } from './client.ts';
import { startEnrolmentReplicas } from './enrolment-replicas.ts';

/** Timeout of a claim in milliseconds, after which it is repeated. */
const claimTimeoutMs = 60_000;

/** How long a client waits before it repeats a claim: milliseconds. */
const retryDelayMs = 100;

/** The result of the claims on one license. */
export interface Round {
  /** Number of claims that got a registration. */
  readonly granted: number;
  /** Number of distinct registrations among these. */
  readonly registrations: number;
  /** Number of learners of the license. */
  readonly learners: number;
  /** Number of free seats according to the license. */
  readonly free: number;
  /** Number of repeated claims, because a claim was rejected or timed out. */
  readonly repeated: number;
}

/**
 * Lets learners claim the seats of a license concurrently, each with one request over RabbitMQ to
 * three replicas of enrolment. Every round has a new license.
 */
export async function* claimSeats(
  { rounds, claims, seats }: { rounds: number; claims: number; seats: number },
  brokerUrl: string,
): AsyncGenerator<Round, void, undefined> {
  const server = await createTestDatabase();
  const namespace = `models-${randomBytes(6).toString('hex')}`;
  const logger = createLogger('models', 'error');
  const transport = rabbitMqTransport({ url: brokerUrl, namespace, logger, accounts: 'shared' });
  const on = { databaseUrl: server.url, transport, logger };
  const enrolment = await startEnrolmentReplicas(3, on);
  const client = await startClient('gateway', { transport, logger });
  const bus = client.get(BusClient);
  try {
    for (let round = 0; round < rounds; round += 1) yield await claimAll(bus, claims, seats);
  } finally {
    await client.stop();
    await enrolment.stop();
    await server.drop();
    await deleteNamespace(brokerUrl, namespace);
  }
}

async function claimAll(bus: BusClient, claims: number, seats: number): Promise<Round> {
  const name = `license ${randomUUID()}`;
  const license = await createLicense(bus, { name, courseGuid: 'sailing', seats });
  let repeated = 0;
  const claim = async (): Promise<string[]> => {
    const learner = emailAddress.parse(`learner-${randomUUID()}@example.com`);
    const input = {
      scope,
      name,
      learners: [learner],
      unlearners: [],
      nodelay: false,
      skipExternalInitialization: true,
    };
    const send = () => {
      const operation = { requestId: learner, deadline: Date.now() + claimTimeoutMs };
      return runInRequestContext({ ...operation, idempotencyKey: learner }, () =>
        bus.request(addLearners, input),
      );
    };
    for (;;) {
      try {
        const { registrationGuids } = await send();
        const courses = Object.values(registrationGuids[learner] ?? {});
        return courses.map((course) => course.registration_guid);
      } catch (error) {
        const { code, retriable } = Failure.from(error);
        if (!retriable && code !== 'expired') throw error;
        repeated += 1;
        // Without a connection a claim fails at once: the broker is reached again in a later turn of the event loop.
        await pause(retryDelayMs);
      }
    }
  };
  const answers = await Promise.all(Array.from({ length: claims }, claim));
  const granted = answers.flat();
  const after = await readLicense(bus, license.id);
  return {
    granted: granted.length,
    registrations: new Set(granted).size,
    learners: after.learners.length,
    free: freeSeats(after),
    repeated,
  };
}

async function readLicense(bus: BusClient, id: number): Promise<InvitationRecord> {
  for await (const {
    items: [record],
  } of bus.pages(indexInvitations, { scope, filters: { id } })) {
    if (record) return record;
  }
  throw new Error('the license is not in the index');
}

const freeSeats = ({ custom }: InvitationRecord): number =>
  (JSON.parse(custom ?? '') as { license_data: { sailing: { seats_available: number } } })
    .license_data.sailing.seats_available;
