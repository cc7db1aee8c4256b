import { type DynamicModule, Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApplicationsModule } from '../applications/applications.module.ts';
import { PackagesModule } from '../packages/packages.module.ts';
import { PublicUrl } from '../public-url.ts';
import { RegistrationsModule } from '../registrations/registrations.module.ts';
import { BuildLaunchLink } from './build-launch-link.ts';
import { DescribeCourse } from './describe-course.ts';
import { ExitCourse } from './exit-course.ts';
import { FindContent } from './find-content.ts';
import { LaunchHistory } from './launch-history.ts';
import { LaunchLinkKey } from './launch-link-key.ts';
import { LaunchSessions } from './launch-sessions.ts';
import { LaunchController } from './launch.controller.ts';
import { Launch } from './launch.entity.ts';
import { OpenActivity } from './open-activity.ts';
import { PlayController } from './play.controller.ts';
import { RegistrationLaunchesController } from './registration-launches.controller.ts';
import { RollUpRegistration } from './roll-up-registration.ts';
import { SaveActivityReport } from './save-activity-report.ts';
import { SharedObjectives } from './shared-objectives.ts';
import { SigningKey } from './signing-key.entity.ts';

/** Launches: launch links, course windows, the player, and the results that it reports. */
@Module({})
export class LaunchesModule {
  /** @param publicUrl the base URL of launch links; null for localhost and the port */
  static register(publicUrl: string | null): DynamicModule {
    return {
      module: LaunchesModule,
      imports: [
        ApplicationsModule,
        PackagesModule,
        RegistrationsModule,
        TypeOrmModule.forFeature([Launch, SigningKey]),
      ],
      controllers: [LaunchController, PlayController, RegistrationLaunchesController],
      providers: [
        {
          provide: PublicUrl,
          inject: [HttpAdapterHost],
          useFactory: (http: HttpAdapterHost) => new PublicUrl(publicUrl, http),
        },
        BuildLaunchLink,
        DescribeCourse,
        ExitCourse,
        FindContent,
        LaunchHistory,
        LaunchLinkKey,
        LaunchSessions,
        OpenActivity,
        RollUpRegistration,
        SaveActivityReport,
        SharedObjectives,
      ],
    };
  }
}
