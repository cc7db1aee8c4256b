import { courseProviders, ProviderAccess } from '#libs/course-provider';
import { PersistenceModule } from '#libs/persistence';
import { type DynamicModule, Module } from '@nestjs/common';
import { Background } from './background.ts';
import { CourseRequests } from './courses/course-requests.ts';
import { CrawlEvents } from './courses/crawl-events.ts';
import { CreateCourse } from './courses/create-course.ts';
import { FindCourse } from './courses/find-course.ts';
import { ImportPackage } from './courses/import-package.ts';
import { IndexCourses } from './courses/index-courses.ts';
import { KeepCourses } from './courses/keep-courses.ts';
import { PendingCreates } from './courses/pending-creates.ts';
import { SweepCourses } from './courses/sweep-courses.ts';
import { TellTitle } from './courses/tell-title.ts';
import { UpdateCourse } from './courses/update-course.ts';
import { AppendPackagePiece, maxPackageBytes } from './packages/append-package-piece.ts';
import { PackageRequests } from './packages/package-requests.ts';
import { PackageUploads } from './packages/package-uploads.ts';
import { catalogSchema } from './schema.ts';
import { type CatalogSettings } from './settings.ts';
import { CreateTemplate } from './templates/create-template.ts';
import { IndexTemplates } from './templates/index-templates.ts';
import { TemplateRequests } from './templates/template-requests.ts';
import { UpdateTemplate } from './templates/update-template.ts';

/** The catalog context: courses, packages on their way to the provider, and templates. */
@Module({})
export class CatalogModule {
  static with(settings: CatalogSettings): DynamicModule {
    return {
      module: CatalogModule,
      imports: [PersistenceModule.forContext(catalogSchema, settings.DATABASE_URL)],
      controllers: [CourseRequests, CrawlEvents, PackageRequests, ProviderAccess, TemplateRequests],
      providers: [
        { provide: maxPackageBytes, useValue: settings.MAX_PACKAGE_BYTES },
        courseProviders(settings.MASTER_KEY_FILE),
        AppendPackagePiece,
        Background,
        CreateCourse,
        CreateTemplate,
        FindCourse,
        ImportPackage,
        IndexCourses,
        IndexTemplates,
        KeepCourses,
        PackageUploads,
        PendingCreates,
        SweepCourses,
        TellTitle,
        UpdateCourse,
        UpdateTemplate,
      ],
    };
  }
}
