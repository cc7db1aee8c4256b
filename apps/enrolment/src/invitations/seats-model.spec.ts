import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type InvitationRecord } from '#libs/contracts';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import {
  customOf,
  freeSeats,
  type InvitationsFixture,
  startInvitationsFixture,
} from './invitations.fixture.ts';

/** The learners of a run, by their numbers. */
const learners = 5;
const learner = fc.nat(learners - 1);
const some = fc.uniqueArray(learner, { maxLength: 3 });

/** What may be done to a licence, and what may happen to its registrations. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('change'), coming: some, leaving: some }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('claim at once'),
      coming: fc.uniqueArray(learner, { minLength: 2, maxLength: learners }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('set seats'), seats: fc.nat(4) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('launch'), learner }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete'), learner }) },
  fc.record({ do: fc.constant('close'), enabled: fc.boolean(), noUpdates: fc.boolean() }),
);
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

/** What a learner has through the licence. */
interface Held {
  /** Who leaves a launched course keeps the seat. */
  launched: boolean;
  /** Deleted at the provider: the next add_learners makes another in the same seat. */
  deleted: boolean;
}

/** Decision 25, for one licence of one course. */
class License {
  readonly members = new Set<number>();
  readonly holders = new Map<number, Held>();
  open = true;

  constructor(public free: number) {}

  change(coming: readonly number[], leaving: readonly number[]): void {
    if (!this.open) return;
    for (const each of leaving) if (!coming.includes(each)) this.leave(each);
    for (const each of coming) {
      this.members.add(each);
      const held = this.holders.get(each);
      if (held?.deleted) this.holders.set(each, { launched: false, deleted: false });
      if (!held && this.free > 0) this.take(each);
    }
  }

  take(each: number): void {
    this.free -= 1;
    this.holders.set(each, { launched: false, deleted: false });
  }

  private leave(each: number): void {
    if (!this.members.delete(each)) return;
    const held = this.holders.get(each);
    if (!held || held.launched) return;
    this.holders.delete(each);
    this.free += 1;
  }

  /** Whom index shows with a registration that is there. */
  get served(): number[] {
    return [...this.holders]
      .filter(([each, held]) => this.members.has(each) && !held.deleted)
      .map(([each]) => each);
  }
}

describe('the seats of a licence, whatever is done to it', () => {
  let invitations: InvitationsFixture;

  beforeAll(async () => {
    invitations = await startInvitationsFixture();
    await invitations.addReplica();
  });
  afterAll(() => invitations.stop());

  /** A licence, its learners, and the model of it. */
  async function start(seats: number) {
    const record = await invitations.createLicense(seats);
    const run = randomUUID();
    return { record, model: new License(seats), address: (each: number) => `${run}-${each}@a.org` };
  }
  type Run = Awaited<ReturnType<typeof start>>;

  const served = async ({ address }: Run): Promise<Map<number, string>> => {
    const all = Array.from({ length: learners }, (_, each) => each);
    const rows = await invitations.database.query<{ learner: string; guid: string }>(
      `SELECT learner_id AS learner, registration_guid AS guid FROM registrations
       WHERE learner_id = ANY($1) AND active AND deleted IS NULL`,
      [all.map(address)],
    );
    const found = rows.map(
      ({ learner, guid }) => [all.map(address).indexOf(learner), guid] as const,
    );
    expect(new Set(found.map(([each]) => each)).size).toBe(found.length);
    return new Map(found);
  };

  async function take(step: Step, run: Run): Promise<void> {
    const { record, model, address } = run;
    const addresses = (each: readonly number[]) => each.map(address);
    if ('leaving' in step) {
      const unlearners = addresses(step.leaving);
      await invitations.add(record, addresses(step.coming), { unlearners });
      model.change(step.coming, step.leaving);
    } else if ('coming' in step) {
      await Promise.all(step.coming.map((each) => invitations.add(record, [address(each)])));
      if (!model.open) return;
      // Nobody says who is first: whoever got a seat, all that are free went.
      const now = await served(run);
      const known = step.coming.filter((each) => model.holders.has(each));
      model.change(known, []);
      const others = step.coming.filter((each) => !model.holders.has(each));
      const lucky = others.filter((each) => now.has(each));
      expect(lucky).toHaveLength(Math.min(model.free, others.length));
      lucky.forEach((each) => model.take(each));
      others.forEach((each) => model.members.add(each));
    } else if ('seats' in step) {
      await invitations.update(record, { custom: customOf({ sailing: step.seats }) });
      model.free = step.seats;
    } else if ('learner' in step) {
      const guid = (await served(run)).get(step.learner);
      const held = model.holders.get(step.learner);
      if (!guid || !held) return;
      if (step.do === 'launch') {
        await invitations.noteLaunch(guid);
        held.launched = true;
      } else {
        await invitations.database.query(
          `UPDATE registrations SET deletion_sequence = result_sequence + 1
           WHERE provider_application_id = 1 AND registration_guid = $1`,
          [guid],
        );
        held.deleted = true;
      }
    } else {
      await invitations.update(record, {
        enabled: step.enabled,
        noUpdatesAllowed: step.noUpdates,
      });
      model.open = step.enabled && !step.noUpdates;
    }
  }

  async function compare(run: Run): Promise<void> {
    const { record, model, address } = run;
    const [shown] = await invitations.list({ id: record.id });
    const [held] = await invitations.database.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM invitation_registrations
       WHERE invitation_id = $1 AND holds_seat`,
      [record.id],
    );
    expect({
      free: freeSeats(shown as InvitationRecord)['sailing'],
      held: held?.count,
      members: shown?.learners.toSorted(),
      served: [...(await served(run)).keys()].toSorted(),
    }).toEqual({
      free: model.free,
      held: model.holders.size,
      members: [...model.members].map(address).toSorted(),
      served: model.served.toSorted(),
    });
  }

  it('are neither oversold nor lost', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(4),
        fc.array(step, { minLength: 1, maxLength: 12 }),
        async (seats, steps) => {
          const run = await start(seats);
          for (const each of steps) {
            await take(each, run);
            await compare(run);
          }
        },
      ),
      { numRuns: 40, endOnFailure: true },
    );
  }, 120_000);
});
