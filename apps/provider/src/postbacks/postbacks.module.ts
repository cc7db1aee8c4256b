import { Module } from '@nestjs/common';
import { PendingPostbacks } from './pending-postbacks.ts';
import { PostbackTargets } from './postback-targets.ts';

/** Where results are posted, and which are to be posted. */
@Module({
  providers: [PendingPostbacks, PostbackTargets],
  exports: [PendingPostbacks, PostbackTargets],
})
export class PostbacksModule {}
