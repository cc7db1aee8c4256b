import { Module } from '@nestjs/common';
import { ApplicationsModule } from '../applications/applications.module.ts';
import { StorePackage } from '../packages/store-package.ts';
import { BeginImport } from './begin-import.ts';
import { CheckPackage } from './check-package.ts';
import { FetchPackage } from './fetch-package.ts';
import { FindImportJob } from './find-import-job.ts';
import { ImportCourse } from './import-course.ts';
import { ImportJobs } from './import-jobs.ts';
import { ImportQueue } from './import-queue.ts';
import { ImportTurns } from './import-turns.ts';
import { UploadPackage } from './upload-package.ts';
import { UploadSpace } from './upload-space.ts';

/** Imports: uploads of packages that become courses. */
@Module({
  imports: [ApplicationsModule],
  controllers: [CheckPackage, FetchPackage, FindImportJob, UploadPackage],
  providers: [
    BeginImport,
    ImportCourse,
    ImportJobs,
    ImportQueue,
    ImportTurns,
    StorePackage,
    UploadSpace,
  ],
})
export class ImportsModule {}
