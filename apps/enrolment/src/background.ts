import { appLogger, BackgroundWork, type Logger, type Work } from '#libs/platform';
import { Inject, Injectable } from '@nestjs/common';
import { QueryResults } from './queries/query-results.ts';
import { InitialiseRegistrations } from './registrations/initialise-registrations.ts';
import { SettleRegistrations } from './registrations/settle-registrations.ts';
import { VerifyMissed } from './registrations/verify-missed.ts';

/** Batches follow each other while there is something in them. */
const batches = (name: string, run: () => Promise<number>): Work => ({
  name,
  every: 5_000,
  timeLimit: 30_000,
  run: async () => (await run()) > 0,
});

/** Does the work that creates and sweeps leave behind. */
@Injectable()
export class Background extends BackgroundWork {
  constructor(
    queryResults: QueryResults,
    initialiseRegistrations: InitialiseRegistrations,
    settleRegistrations: SettleRegistrations,
    verifyMissed: VerifyMissed,
    @Inject(appLogger) logger: Logger,
  ) {
    super(logger, [
      batches('drop old query results', () => queryResults.dropOld()),
      batches('initialise registrations', () => initialiseRegistrations.run()),
      batches('settle registrations', () => settleRegistrations.run()),
      batches('verify missed registrations', () => verifyMissed.run()),
    ]);
  }
}
