import { Outbox } from '@registrar/bus';
import { providerAudited } from '@registrar/contracts';
import { Database, raw, type Sql, sql } from '@registrar/persistence';
import { PeriodicTask } from '@registrar/platform';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import { ownedBy } from '../access-rules.ts';
import { learnerAct } from './learner-act.ts';

/** Rows that one step changes at most. */
const stepRows = raw('100');

const erasureRow = z.object({
  id: z.number(),
  application_id: z.number(),
  appId: z.string(),
  learner_id: z.string(),
  erased_id: z.string(),
  last_registration: z.number(),
  registrations: z.number(),
});
type Erasure = z.output<typeof erasureRow>;

/**
 * Erases who learners are from their registrations. The results stay, under an id that says nothing: statistics of
 * courses do not change. What the content stored may name the learner, and is erased too.
 *
 * Each step is a transaction, and the data show which step is the next: what a process that ends has begun, another one
 * completes. Learners take turns.
 */
@Injectable()
export class EraseInSteps {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /** @returns whether there was something to do */
  @PeriodicTask({ name: 'erase learners', everyMs: 1_000, restMs: 5_000, timeoutMs: 30_000 })
  async erase(): Promise<boolean> {
    let erasure: Erasure | null = null;
    try {
      await this.database.transaction(async () => {
        erasure = await this.claim();
        if (erasure) await this.proceed(erasure);
      });
    } catch (error) {
      // Others first.
      if (erasure) await this.database.execute(setWorked(erasure, 0));
      throw error;
    }
    return erasure !== null;
  }

  private claim(): Promise<Erasure | null> {
    return this.database.maybeOne(
      erasureRow,
      sql`SELECT e.id, e.application_id, a.app_id AS "appId", e.learner_id, e.erased_id,
                 e.last_registration, e.registrations
          FROM learner_erasures AS e JOIN applications AS a ON a.id = e.application_id
          ORDER BY e.worked_at LIMIT 1 FOR NO KEY UPDATE OF e SKIP LOCKED`,
    );
  }

  private async proceed(erasure: Erasure): Promise<void> {
    const anonymized = await this.database.execute(anonymize(erasure));
    let changed = anonymized;
    for (const step of [endLaunches, ...erasures]) {
      if (changed === 0) changed = await this.database.execute(step(erasure));
    }
    if (changed > 0) await this.database.execute(setWorked(erasure, anonymized));
    else await this.finish(erasure);
  }

  private async finish(erasure: Erasure): Promise<void> {
    await this.database.execute(sql`DELETE FROM learner_erasures WHERE id = ${erasure.id}`);
    const act = learnerAct('learner.erased-at-provider', erasure, erasure.registrations);
    await this.outbox.publish(providerAudited, act);
  }
}

const setWorked = ({ id }: Erasure, anonymized: number): Sql =>
  sql`UPDATE learner_erasures
      SET worked_at = clock_timestamp(), registrations = registrations + ${anonymized}
      WHERE id = ${id}`;

/** Tags are texts of the application, which may name the learner. Links that exist open no window any more. */
const anonymize = (erasure: Erasure): Sql =>
  sql`UPDATE registrations AS t
      SET learner_id = ${erasure.erased_id}, email = NULL, first_name = '', last_name = '', tags = DEFAULT,
          launch_generation = launch_generation + 1, updated_at = clock_timestamp()
      WHERE t.id IN (
        SELECT r.id FROM registrations AS r
        WHERE ${ownedBy({ id: erasure.application_id }, 'r')} AND r.learner_id = ${erasure.learner_id}
          AND r.id <= ${erasure.last_registration}
        ORDER BY r.id LIMIT ${stepRows} FOR NO KEY UPDATE
      )`;

/** Condition: the row of `registrations AS r` has the id of the erased learner. */
const isErased = ({ application_id: id, erased_id: erasedId }: Erasure): Sql =>
  sql`${ownedBy({ id }, 'r')} AND r.learner_id = ${erasedId}`;

/** Comes before the data that open windows write. */
const endLaunches = (erasure: Erasure): Sql =>
  sql`UPDATE launches AS t
      SET redirect_url = NULL, css_url = NULL, client_address = NULL, start_activity = NULL,
          culture = NULL, expires_at = least(t.expires_at, now())
      WHERE t.id IN (
        SELECT l.id FROM registrations AS r JOIN launches AS l ON l.registration = r.id
        WHERE ${isErased(erasure)}
          AND (l.expires_at > now() OR num_nonnulls(
            l.redirect_url, l.css_url, l.client_address, l.start_activity, l.culture) > 0)
        LIMIT ${stepRows}
      )`;

const eraseRuntime =
  (table: 'sco_states' | 'former_sco_states', key: readonly string[]) =>
  (erasure: Erasure): Sql =>
    sql`UPDATE ${raw(table)} AS t SET runtime = '{}', branch_sequences = '{}'
        WHERE (${raw(key.join(', '))}) IN (
          SELECT ${raw(key.map((column) => `s.${column}`).join(', '))}
          FROM registrations AS r JOIN ${raw(table)} AS s ON s.registration = r.id
          WHERE ${isErased(erasure)} AND (s.runtime <> '{}' OR s.branch_sequences <> '{}')
          LIMIT ${stepRows}
        )`;

const eraseSharedData = (erasure: Erasure): Sql =>
  sql`UPDATE registrations AS t SET shared_data = DEFAULT, updated_at = clock_timestamp()
      WHERE t.id IN (
        SELECT r.id FROM registrations AS r
        WHERE ${isErased(erasure)} AND r.shared_data <> '{}' LIMIT ${stepRows}
      )`;

const eraseFormerInstances = (erasure: Erasure): Sql =>
  sql`UPDATE former_instances AS t SET shared_data = '{}'
      WHERE (t.registration, t.instance) IN (
        SELECT f.registration, f.instance
        FROM registrations AS r JOIN former_instances AS f ON f.registration = r.id
        WHERE ${isErased(erasure)} AND f.shared_data <> '{}' LIMIT ${stepRows}
      )`;

const deleteFrom =
  (table: 'registration_configurations' | 'postbacks') =>
  (erasure: Erasure): Sql =>
    sql`DELETE FROM ${raw(table)} AS t WHERE t.registration IN (
          SELECT s.registration FROM registrations AS r JOIN ${raw(table)} AS s ON s.registration = r.id
          WHERE ${isErased(erasure)} LIMIT ${stepRows}
        )`;

const erasures = [
  eraseRuntime('sco_states', ['registration', 'activity_id']),
  eraseRuntime('former_sco_states', ['registration', 'instance', 'activity_id']),
  eraseSharedData,
  eraseFormerInstances,
  deleteFrom('registration_configurations'),
  deleteFrom('postbacks'),
];
