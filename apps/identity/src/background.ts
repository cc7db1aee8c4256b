import { appLogger, BackgroundWork, type Logger } from '#libs/platform';
import { Inject, Injectable } from '@nestjs/common';
import { PruneApiKeys } from './api-keys/prune-api-keys.ts';

/** Forgets api keys that have expired. */
@Injectable()
export class Background extends BackgroundWork {
  constructor(pruneApiKeys: PruneApiKeys, @Inject(appLogger) logger: Logger) {
    super(logger, [
      {
        name: 'forget expired api keys',
        every: 60 * 60_000,
        timeLimit: 60_000,
        run: () => pruneApiKeys.run(),
      },
    ]);
  }
}
