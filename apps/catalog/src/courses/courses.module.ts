import {
  InvalidateCourseProviders,
  provideCourseProviderDirectory,
} from '@registrar/course-provider';
import { type DynamicModule, Module } from '@nestjs/common';
import { PackagesModule } from '../packages/packages.module.ts';
import { type CatalogSettings } from '../settings.ts';
import { CopyRegistrationCounts } from './copy-registration-counts.ts';
import { CreateCourse } from './create-course.ts';
import { DeleteCourse } from './delete-course.ts';
import { FindCourse } from './find-course.ts';
import { ImportPackage } from './import-package.ts';
import { ImportCrawledCourses } from './import-crawled-courses.ts';
import { IndexCourses } from './index-courses.ts';
import { PendingCreates } from './pending-creates.ts';
import { ProviderTitle } from './provider-title.ts';
import { SweepCourses } from './sweep-courses.ts';
import { UpdateCourse } from './update-course.ts';
import { UpsertCourses } from './upsert-courses.ts';

/** Courses: index, create, update and delete, and what crawls of the course provider find. */
@Module({})
export class CoursesModule {
  static with(settings: CatalogSettings): DynamicModule {
    return {
      module: CoursesModule,
      imports: [PackagesModule.with(settings)],
      controllers: [
        CopyRegistrationCounts,
        InvalidateCourseProviders,
        CreateCourse,
        DeleteCourse,
        FindCourse,
        ImportCrawledCourses,
        IndexCourses,
        SweepCourses,
        UpdateCourse,
      ],
      providers: [
        provideCourseProviderDirectory(settings.MASTER_KEY_FILE),
        ImportPackage,
        PendingCreates,
        ProviderTitle,
        UpsertCourses,
      ],
    };
  }
}
