import {
  InvalidateCourseProviders,
  provideCourseProviderDirectory,
} from '@registrar/course-provider';
import { type DynamicModule, Module } from '@nestjs/common';
import { PackageUploads } from '../packages/package-uploads.ts';
import { ReadPackagePiece } from '../packages/read-package-piece.ts';
import { maxPackageBytes, ReceivePackages } from '../packages/receive-packages.ts';
import { type CatalogSettings } from '../settings.ts';
import { CopyRegistrationCounts } from './copy-registration-counts.ts';
import { CourseVersions } from './course-versions.ts';
import { ConfigureCourse } from './configure-course.ts';
import { CreateCourse } from './create-course.ts';
import { DeleteCourse } from './delete-course.ts';
import { FindAtProvider } from './find-at-provider.ts';
import { FindCourse } from './find-course.ts';
import { ImportPackage } from './import-package.ts';
import { IndexCourses } from './index-courses.ts';
import { PendingCreates } from './pending-creates.ts';
import { PreviewCourse } from './preview-course.ts';
import { ProviderTitle } from './provider-title.ts';
import { SweepCourses } from './sweep-courses.ts';
import { UpdateCourse } from './update-course.ts';
import { ImportCrawledCourses, UpsertCourses } from './upsert-courses.ts';

/** Courses: index, create from uploaded packages, update and delete, and what crawls find. */
@Module({})
export class CoursesModule {
  static with(settings: CatalogSettings): DynamicModule {
    return {
      module: CoursesModule,
      controllers: [
        CopyRegistrationCounts,
        InvalidateCourseProviders,
        ConfigureCourse,
        CourseVersions,
        CreateCourse,
        DeleteCourse,
        FindCourse,
        ImportCrawledCourses,
        IndexCourses,
        PreviewCourse,
        ReadPackagePiece,
        ReceivePackages,
        SweepCourses,
        UpdateCourse,
      ],
      providers: [
        provideCourseProviderDirectory(settings.MASTER_KEY_FILE),
        { provide: maxPackageBytes, useValue: settings.MAX_PACKAGE_BYTES },
        FindAtProvider,
        ImportPackage,
        PackageUploads,
        PendingCreates,
        ProviderTitle,
        UpsertCourses,
      ],
    };
  }
}
