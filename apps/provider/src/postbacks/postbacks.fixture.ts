import { type Database, sql } from '@registrar/persistence';
import { stepTime } from '@registrar/persistence/testing';
import { eventually } from '@registrar/testing';
import * as z from 'zod';
import { type LaunchesFixture, startLaunchesFixture } from '../launches/launches.fixture.ts';
import type { PostbackTimes } from './postback-times.ts';
import { Receiver } from './receiver.fixture.ts';

const pendingRow = z.object({
  registration_id: z.string(),
  failures: z.number(),
  due_in: z.number(),
});

export type PostbacksFixture = Awaited<ReturnType<typeof startPostbacksFixture>>;

/** How long a receiver may take to respond. */
export const responseMs = 20_000;

/** Without the jitter of a fifth at most. */
const longestRetrySeconds = 600;

/** Starts the provider with a course, and two receivers of postbacks that it allows. */
export async function startPostbacksFixture(times: Partial<PostbackTimes> = {}) {
  const receiver = await new Receiver().start();
  const otherReceiver = await new Receiver().start();
  const launches: LaunchesFixture = await startLaunchesFixture({
    postbackOrigins: `${receiver.origin}, ${otherReceiver.origin}/`,
    postbacks: {
      inCourseMs: 3_600_000,
      responseMs,
      // Longer than a busy machine takes to notice a failure: suites step the clock over it.
      retryMs: { first: 60_000, longest: longestRetrySeconds * 1_000 },
      drainMs: 20,
      ...times,
    },
  });
  const { provider } = launches;
  // Changes the tables while nothing uses them.
  await stepTime(0, provider.database);
  const postBack = (more: object = {}) => ({
    url: `${receiver.origin}/results?of=suite`,
    authType: 'HTTPBASIC',
    userName: 'postback',
    password: 'pass:wörd',
    ...more,
  });
  /** Opens the first part of the course, and reports it as passed. */
  const pass = async (registration: string, more: object) => {
    const window = await launches.open(registration);
    const sitting = await window.begin('first');
    const position = { activityId: 'first', sitting, sequence: 1 };
    await window.report(position, { lesson_status: 'passed' }, more);
    return window;
  };

  return {
    ...launches,
    receiver,
    otherReceiver,
    get database() {
      return provider.database;
    },

    postBack,

    registerWithPostBack: (more: object = {}) => launches.register({ postBack: postBack(more) }),

    /** Opens the first part of the course, reports it as passed, and exits the course. */
    async complete(registration: string): Promise<void> {
      const window = await pass(registration, { ended: true });
      await window.post('exit', {});
    },

    /** Opens the first part of the course, reports it as passed, and closes the window. */
    async closeWindow(registration: string): Promise<void> {
      await pass(registration, { ended: true, closing: true });
    },

    record: async (registration: string, query: Readonly<Record<string, string>> = {}) =>
      (await launches.client.get(`registrations/${registration}`, query)).body,

    pending: () => pendingIn(provider.database),

    /** Waits until the only pending postback has failed so many times, and lets the time until its repetition pass. */
    async repeatAfter(failures: number): Promise<void> {
      await eventually(`the postback has failed ${failures} times`, async () => {
        const [pending] = await pendingIn(provider.database);
        return pending?.failures === failures;
      });
      await stepTime(longestRetrySeconds * 1.2, provider.database);
    },

    delivered: () =>
      eventually(
        'no postback is pending',
        async () => (await pendingIn(provider.database)).length === 0,
      ),

    /** Deletes all registrations, and forgets what was received. */
    async clear(): Promise<void> {
      await provider.database.execute(sql`TRUNCATE registrations CASCADE`);
      receiver.clear();
      otherReceiver.clear();
    },

    async stop(): Promise<void> {
      await receiver.stop();
      await otherReceiver.stop();
      await launches.stop();
    },
  };
}

/** The pending postbacks, with the seconds until they are due. */
const pendingIn = (database: Database) =>
  database.many(
    pendingRow,
    sql`SELECT r.registration_id, p.failures, extract(epoch FROM p.due_at - now())::float AS due_in
        FROM postbacks AS p JOIN registrations AS r ON r.id = p.registration ORDER BY p.due_at`,
  );
