import { Database, raw, sql, type Sql } from '@registrar/persistence';
import { Inject, Injectable } from '@nestjs/common';
import {
  effectiveConfiguration,
  joinConfigurations,
} from '../configuration/effective-configuration.ts';
import { type PostbackTimes, postbackTimes } from './postback-times.ts';

/** Records that the result of a registration is to be posted. */
@Injectable()
export class PendingPostbacks {
  #wake: () => void = () => undefined;

  constructor(
    private readonly database: Database,
    @Inject(postbackTimes) private readonly times: PostbackTimes,
  ) {}

  /** Sets what is called after the commit of a transaction that made postbacks due. */
  onDue(wake: () => void): void {
    this.#wake = wake;
  }

  /**
   * Postpones the postback of a change during the course, unless one is due earlier: a player reports
   * often. Must run in the transaction that changes the result.
   */
  async addInCourse(registration: number): Promise<void> {
    const seconds = this.times.inCourseMs / 1_000;
    await this.add(registration, sql`clock_timestamp() + make_interval(secs => ${seconds})`);
  }

  /** Makes a postback due at once. Must run in the transaction that changes the result. */
  async addNow(registration: number): Promise<void> {
    const added = await this.add(registration, raw('clock_timestamp()'));
    if (added > 0) this.database.afterCommit(() => this.#wake());
  }

  /** Resolves with 0 for a registration whose results are not posted, else with 1. */
  private add(registration: number, dueAt: Sql): Promise<number> {
    return this.database.execute(
      sql`INSERT INTO postbacks AS p (registration, application_id, due_at)
          SELECT r.id, r.application_id, ${dueAt}
          FROM registrations AS r ${joinConfigurations}
          WHERE r.id = ${registration}
            AND ${effectiveConfiguration} ->> 'ApiRollupRegistrationPostBackUrl' <> ''
          ON CONFLICT (registration) DO UPDATE SET
            change_id = excluded.change_id, due_at = least(p.due_at, excluded.due_at), failures = 0`,
    );
  }
}
