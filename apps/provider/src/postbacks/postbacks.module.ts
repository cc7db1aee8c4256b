import { Module } from '@nestjs/common';
import { RegistrationsModule } from '../registrations/registrations.module.ts';
import { DeliverPostback } from './deliver-postback.ts';
import { PostbackMetrics } from './postback-metrics.ts';
import { PostbackRows } from './postback-rows.ts';
import { SendPostbacks } from './send-postbacks.ts';

/** Sends results of registrations to the receivers that their applications name. */
@Module({
  imports: [RegistrationsModule],
  providers: [DeliverPostback, PostbackMetrics, PostbackRows, SendPostbacks],
})
export class PostbacksModule {}
