import type { Database } from '#libs/persistence';
import { beforeDeadline } from '#libs/platform';
import type { BusEndpoint } from './transport.ts';

/** How long the database may take to answer: milliseconds. */
const patience = 2_000;

/** Whether an app has around it what it needs for its work. */
export class Readiness {
  constructor(
    private readonly endpoint: BusEndpoint,
    private readonly database: Database | null,
  ) {}

  /** What is missing. An app that has started has migrated its schema. */
  async faults(): Promise<readonly string[]> {
    const faults: string[] = [];
    if (!this.endpoint.usable) faults.push('the broker takes no messages');
    if (!(await this.databaseAnswers())) faults.push('the database does not answer');
    return faults;
  }

  private async databaseAnswers(): Promise<boolean> {
    if (!this.database) return true;
    const answer = this.database.query('SELECT 1');
    return beforeDeadline(answer, Date.now() + patience, 'a question').then(
      () => true,
      () => false,
    );
  }
}
