import { type Database, sql } from '@registrar/persistence';
import { withDeadline } from '@registrar/platform';
import type { BusEndpoint } from './transport.ts';

/** The time limit for the database's response: milliseconds. */
const databaseTimeoutMs = 2_000;

/** Checks whether the broker and the database of an app are usable. */
export class Readiness {
  constructor(
    private readonly endpoint: BusEndpoint,
    private readonly database: Database | null,
  ) {}

  /** Returns what is unusable, as texts without secrets; an empty list when the app is ready. */
  async faults(): Promise<readonly string[]> {
    const faults: string[] = [];
    if (!this.endpoint.usable) faults.push('RabbitMQ is unreachable or blocks publishers');
    if (!(await this.databaseAnswers())) faults.push('the database does not answer');
    return faults;
  }

  private async databaseAnswers(): Promise<boolean> {
    if (!this.database) return true;
    const response = this.database.execute(sql`SELECT 1`);
    return withDeadline(response, Date.now() + databaseTimeoutMs, 'the check of the database').then(
      () => true,
      () => false,
    );
  }
}
