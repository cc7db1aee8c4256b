import { Module } from '@nestjs/common';
import { ApplicationsModule } from '../applications/applications.module.ts';
import { ReadPackageFile } from '../packages/read-package-file.ts';
import { RegistrationsModule } from '../registrations/registrations.module.ts';
import { BuildLaunchLink } from './build-launch-link.ts';
import { BuildPreviewLink } from './build-preview-link.ts';
import { ContentController } from './content.controller.ts';
import { CourseSequencing } from './course-sequencing.ts';
import { CourseWindows } from './course-windows.ts';
import { DescribeCourse } from './describe-course.ts';
import { Downloads } from './downloads.ts';
import { EndLaunches } from './end-launches.ts';
import { ExitCourse } from './exit-course.ts';
import { FindContent } from './find-content.ts';
import { LaunchHistory } from './launch-history.ts';
import { LaunchLinkKeys } from './launch-link-keys.ts';
import { LaunchSessions } from './launch-sessions.ts';
import { LaunchController } from './launch.controller.ts';
import { NavigateCourse } from './navigate-course.ts';
import { OpenActivity } from './open-activity.ts';
import { PlayController } from './play.controller.ts';
import { RegistrationValues } from './registration-values.ts';
import { RollUpRegistration } from './roll-up-registration.ts';
import { RotateLaunchKey } from './rotate-launch-key.ts';
import { SaveActivityReport } from './save-activity-report.ts';

/** Launches: launch links, course windows, the player, and the results that it reports. */
@Module({
  imports: [ApplicationsModule, RegistrationsModule],
  controllers: [
    BuildLaunchLink,
    BuildPreviewLink,
    ContentController,
    EndLaunches,
    LaunchController,
    LaunchHistory,
    PlayController,
    RotateLaunchKey,
  ],
  providers: [
    CourseSequencing,
    CourseWindows,
    DescribeCourse,
    Downloads,
    ExitCourse,
    FindContent,
    LaunchLinkKeys,
    LaunchSessions,
    NavigateCourse,
    OpenActivity,
    ReadPackageFile,
    RegistrationValues,
    RollUpRegistration,
    SaveActivityReport,
  ],
  exports: [Downloads, ReadPackageFile],
})
export class LaunchesModule {}
