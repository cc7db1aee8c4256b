import { Module } from '@nestjs/common';
import { ApplicationsModule } from '../applications/applications.module.ts';
import { CoursesModule } from '../courses/courses.module.ts';
import { PackagesModule } from '../packages/packages.module.ts';
import { ImportCourse } from './import-course.ts';
import { ImportJobs } from './import-jobs.ts';
import { ImportQueue } from './import-queue.ts';
import { ImportsController } from './imports.controller.ts';
import { UploadPackage } from './upload-package.ts';

/** Imports: uploads of packages that become courses. */
@Module({
  imports: [ApplicationsModule, CoursesModule, PackagesModule],
  controllers: [ImportsController],
  providers: [ImportCourse, ImportJobs, ImportQueue, UploadPackage],
})
export class ImportsModule {}
