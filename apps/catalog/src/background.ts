import { appLogger, BackgroundWork, type Logger } from '#libs/platform';
import { Inject, Injectable } from '@nestjs/common';
import { PendingCreates } from './courses/pending-creates.ts';
import { PackageUploads } from './packages/package-uploads.ts';

const everyTenMinutes = { every: 10 * 60_000, timeLimit: 60_000 };

/** Forgets uploads that nobody asks for any more, and creates whose course never came. */
@Injectable()
export class Background extends BackgroundWork {
  constructor(
    uploads: PackageUploads,
    pendingCreates: PendingCreates,
    @Inject(appLogger) logger: Logger,
  ) {
    super(logger, [
      { name: 'forget old uploads', ...everyTenMinutes, run: () => uploads.forgetOld() },
      { name: 'forget old creates', ...everyTenMinutes, run: () => pendingCreates.forgetOld() },
    ]);
  }
}
