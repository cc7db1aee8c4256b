import { Database, databaseFault } from '@registrar/persistence';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { type BusEndpoint, busEndpoint } from './transport.ts';

/** Checks whether the broker and the database of an app are usable. */
@Injectable()
export class Readiness {
  constructor(
    @Inject(busEndpoint) private readonly endpoint: BusEndpoint,
    @Optional() @Inject(Database) private readonly database: Database | undefined,
  ) {}

  /** Returns what is unusable, as texts without secrets; an empty list when the app is ready. */
  async faults(): Promise<readonly string[]> {
    const fault = this.database && (await databaseFault(this.database));
    return [...(this.endpoint.connection?.faults ?? []), ...(fault ? [fault] : [])];
  }
}
