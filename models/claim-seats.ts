import { BusClient, rabbitMqTransport } from '#libs/bus';
import {
  addLearners,
  emailAddress,
  Failure,
  indexInvitations,
  type InvitationRecord,
} from '#libs/contracts';
import { createLogger, runOperation } from '#libs/platform';
import { createTestDatabase, deleteNamespace } from '#libs/testing';
import { randomBytes, randomUUID } from 'node:crypto';
import { createLicense, scope, startClient } from './client.ts';
import { startEnrolmentReplicas } from './enrolment-replicas.ts';

/** How long a claim may take before it is repeated: milliseconds. */
const claimTime = 60_000;

/** What came of the claims on one licence. */
export interface Round {
  /** Claims that were answered with a registration. */
  readonly granted: number;
  /** Different registrations among these. */
  readonly registrations: number;
  /** Learners of the licence: all who claimed. */
  readonly learners: number;
  /** Seats that the licence says are free. */
  readonly free: number;
  /** Claims that had to be repeated, because they were turned away or came too late. */
  readonly repeated: number;
}

/**
 * Lets so many learners claim the seats of a licence at the same time, each by a request of its
 * own over RabbitMQ to three replicas of enrolment; round after round, each with a new licence.
 */
export async function claimSeats(
  { rounds, claims, seats }: { rounds: number; claims: number; seats: number },
  brokerUrl: string,
): Promise<Round[]> {
  const server = await createTestDatabase();
  const namespace = `models-${randomBytes(6).toString('hex')}`;
  const logger = createLogger('models', 'error');
  const transport = rabbitMqTransport({ url: brokerUrl, namespace, logger });
  const on = { databaseUrl: server.url, transport, logger };
  const enrolment = await startEnrolmentReplicas(3, on);
  const client = await startClient({ transport, logger });
  const bus = client.get(BusClient);
  try {
    const results: Round[] = [];
    while (results.length < rounds) results.push(await claimAll(bus, claims, seats));
    return results;
  } finally {
    await client.stop();
    await enrolment.stop();
    await server.drop();
    await deleteNamespace(brokerUrl, namespace);
  }
}

async function claimAll(bus: BusClient, claims: number, seats: number): Promise<Round> {
  const name = `licence ${randomUUID()}`;
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
    const ask = () => {
      const operation = { requestId: learner, deadline: Date.now() + claimTime };
      return runOperation({ ...operation, idempotencyKey: learner }, () =>
        bus.request(addLearners, input),
      );
    };
    for (;;) {
      try {
        const { registrationGuids } = await ask();
        const courses = Object.values(registrationGuids[learner] ?? {});
        return courses.map((course) => course.registration_guid);
      } catch (error) {
        const { code, retriable } = Failure.from(error);
        if (!retriable && code !== 'expired') throw error;
        repeated += 1;
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
  for await (const [record] of bus.pages(indexInvitations, { scope, filters: { id } })) {
    if (record) return record;
  }
  throw new Error('the licence is gone');
}

const freeSeats = ({ custom }: InvitationRecord): number =>
  (JSON.parse(custom ?? '') as { license_data: { sailing: { seats_available: number } } })
    .license_data.sailing.seats_available;
