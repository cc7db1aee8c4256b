import { Database, sql } from '@registrar/persistence';
import { PeriodicTask } from '@registrar/platform';
import { Injectable } from '@nestjs/common';

/** Rows that one round deletes at most. */
const roundRows = 1_000;

/** Deletes the tags of learners whose registrations have been deleted. */
@Injectable()
export class PruneLearnerTags {
  constructor(private readonly database: Database) {}

  /** @returns how many learners it has deleted the tags of */
  @PeriodicTask({ name: 'prune tags of learners', everyMs: 60 * 60_000, timeoutMs: 30_000 })
  prune(): Promise<number> {
    return this.database.execute(
      sql`DELETE FROM tagged_learners WHERE id IN (
            SELECT t.id FROM tagged_learners AS t
            WHERE NOT EXISTS (
              SELECT FROM registrations AS r
              WHERE r.application_id = t.application_id AND r.learner_id = t.learner_id
            )
            LIMIT ${roundRows} FOR UPDATE SKIP LOCKED
          )`,
    );
  }
}
