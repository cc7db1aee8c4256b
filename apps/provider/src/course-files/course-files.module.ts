import { Module } from '@nestjs/common';
import { ApplicationsModule } from '../applications/applications.module.ts';
import { LaunchesModule } from '../launches/launches.module.ts';
import { CourseFilesController } from './course-files.controller.ts';
import { FindPackage } from './find-package.ts';
import { SendPackage } from './send-package.ts';

/** Files and zip files of courses in the API. */
@Module({
  imports: [ApplicationsModule, LaunchesModule],
  controllers: [CourseFilesController],
  providers: [FindPackage, SendPackage],
})
export class CourseFilesModule {}
