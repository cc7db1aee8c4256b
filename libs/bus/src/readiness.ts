import { type Database, databaseFault } from '@registrar/persistence';
import type { BusEndpoint } from './transport.ts';

/** Checks whether the broker and the database of an app are usable. */
export class Readiness {
  constructor(
    private readonly endpoint: BusEndpoint,
    private readonly database: Database | null,
  ) {}

  /** Returns what is unusable, as texts without secrets; an empty list when the app is ready. */
  async faults(): Promise<readonly string[]> {
    const fault = this.database && (await databaseFault(this.database));
    return [...this.endpoint.faults, ...(fault === null ? [] : [fault])];
  }
}
