import { Module } from '@nestjs/common';
import { ApplicationsModule } from '../applications/applications.module.ts';
import { PackagesModule } from '../packages/packages.module.ts';
import { FindImportJob } from './find-import-job.ts';
import { ImportCourse } from './import-course.ts';
import { ImportJobs } from './import-jobs.ts';
import { ImportQueue } from './import-queue.ts';
import { UploadPackage } from './upload-package.ts';
import { UploadSpace } from './upload-space.ts';

/** Imports: uploads of packages that become courses. */
@Module({
  imports: [ApplicationsModule, PackagesModule],
  controllers: [FindImportJob, UploadPackage],
  providers: [ImportCourse, ImportJobs, ImportQueue, UploadSpace],
})
export class ImportsModule {}
