import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InvitationRecord } from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import {
  customOf,
  freeSeats,
  type InvitationsFixture,
  startInvitationsFixture,
} from './invitations.fixture.ts';

/** How many learners a run has. */
const learnerCount = 5;
const learner = fc.nat(learnerCount - 1);
const some = fc.uniqueArray(learner, { maxLength: 3 });

/** A request about a license, or an event of its registrations. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('change'), added: some, removed: some }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('add concurrently'),
      added: fc.uniqueArray(learner, { minLength: 2, maxLength: learnerCount }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('set seats'), seats: fc.nat(4) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('launch'), learner }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete'), learner }) },
  fc.record({ do: fc.constant('close'), enabled: fc.boolean(), noUpdates: fc.boolean() }),
);
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

/** A seat that a learner holds. */
interface HeldSeat {
  /** The seat stays with a removed learner. */
  launched: boolean;
  /** Deleted at the provider: the next add_learners creates another registration in the seat. */
  deleted: boolean;
}

/** The model of a license with one course (contract/invitations#seats). */
class LicenseModel {
  readonly members = new Set<number>();
  readonly holders = new Map<number, HeldSeat>();
  open = true;

  constructor(public free: number) {}

  change(added: readonly number[], removed: readonly number[]): void {
    if (!this.open) return;
    for (const each of removed) if (!added.includes(each)) this.remove(each);
    for (const each of added) {
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

  private remove(each: number): void {
    if (!this.members.delete(each)) return;
    const held = this.holders.get(each);
    if (!held || held.launched) return;
    this.holders.delete(each);
    this.free += 1;
  }

  /** The members with a registration that is not deleted. */
  get served(): number[] {
    return [...this.holders]
      .filter(([each, held]) => this.members.has(each) && !held.deleted)
      .map(([each]) => each);
  }
}

describe('the seats of a license under random requests to two replicas', () => {
  let invitations: InvitationsFixture;

  beforeAll(async () => {
    invitations = await startInvitationsFixture();
    await invitations.addReplica();
  });
  afterAll(() => invitations.stop());

  /** Creates a license and its model. */
  async function start(seats: number) {
    const record = await invitations.createLicense(seats);
    const run = randomUUID();
    return {
      record,
      model: new LicenseModel(seats),
      address: (each: number) => `${run}-${each}@a.org`,
    };
  }
  type Run = Awaited<ReturnType<typeof start>>;

  const served = async ({ address }: Run): Promise<Map<number, string>> => {
    const all = Array.from({ length: learnerCount }, (_, each) => each);
    const rows = await invitations.database.many(
      z.object({ learner: z.string(), guid: z.string() }),
      sql`SELECT learner_id AS learner, registration_guid AS guid FROM registrations
          WHERE learner_id = ANY(${all.map(address)}) AND active AND deleted IS NULL`,
    );
    const found = rows.map(
      ({ learner, guid }) => [all.map(address).indexOf(learner), guid] as const,
    );
    expect(new Set(found.map(([each]) => each)).size).toBe(found.length);
    return new Map(found);
  };

  async function perform(step: Step, run: Run): Promise<void> {
    const { record, model, address } = run;
    const addresses = (each: readonly number[]) => each.map(address);
    if ('removed' in step) {
      const unlearners = addresses(step.removed);
      await invitations.add(record, addresses(step.added), { unlearners });
      model.change(step.added, step.removed);
    } else if ('added' in step) {
      await Promise.all(step.added.map((each) => invitations.add(record, [address(each)])));
      if (!model.open) return;
      // Any order is correct, but all seats that were free are taken.
      const servedNow = await served(run);
      const known = step.added.filter((each) => model.holders.has(each));
      model.change(known, []);
      const others = step.added.filter((each) => !model.holders.has(each));
      const winners = others.filter((each) => servedNow.has(each));
      expect(winners).toHaveLength(Math.min(model.free, others.length));
      winners.forEach((each) => model.take(each));
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
        await invitations.database.execute(
          sql`UPDATE registrations SET deletion_sequence = result_sequence + 1
              WHERE provider_application_id = 1 AND registration_guid = ${guid}`,
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
    const held = await invitations.database.one(
      z.object({ count: z.number() }),
      sql`SELECT count(*) AS count FROM invitation_registrations
          WHERE invitation_id = ${record.id} AND holds_seat`,
    );
    expect({
      free: freeSeats(shown as InvitationRecord)['sailing'],
      held: held.count,
      members: shown?.learners.toSorted(),
      served: [...(await served(run)).keys()].toSorted(),
    }).toEqual({
      free: model.free,
      held: model.holders.size,
      members: [...model.members].map(address).toSorted(),
      served: model.served.toSorted(),
    });
  }

  it('the seats of a license under random requests to two replicas are neither oversold nor lost (contract/invitations#never-oversold)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(4),
        fc.array(step, { minLength: 1, maxLength: 12 }),
        async (seats, steps) => {
          const run = await start(seats);
          for (const each of steps) {
            await perform(each, run);
            await compare(run);
          }
        },
      ),
      { numRuns: 40, endOnFailure: true },
    );
  });
});
