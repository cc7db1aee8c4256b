import { Module } from '@nestjs/common';
import { ApplicationsModule } from '../applications/applications.module.ts';
import { ConfigurationModule } from '../configuration/configuration.module.ts';
import { RegistrationsModule } from '../registrations/registrations.module.ts';
import { DeliverPostback } from './deliver-postback.ts';
import { PostbackMetrics } from './postback-metrics.ts';
import { PostbackRows } from './postback-rows.ts';
import { SendPostbacks } from './send-postbacks.ts';
import { TestPostback } from './test-postback.ts';

/** Sends results of registrations to the receivers that their applications name. */
@Module({
  imports: [ApplicationsModule, ConfigurationModule, RegistrationsModule],
  controllers: [TestPostback],
  providers: [DeliverPostback, PostbackMetrics, PostbackRows, SendPostbacks],
})
export class PostbacksModule {}
