import { PersistenceModule } from '@registrar/persistence';
import { type DynamicModule, Module } from '@nestjs/common';
import { CoursesModule } from './courses/courses.module.ts';
import { catalogSchema } from './schema.ts';
import { type CatalogSettings } from './settings.ts';
import { TemplatesModule } from './templates/templates.module.ts';
import { VersionsModule } from './versions/versions.module.ts';

/** The catalog context: courses, packages on their way to the provider, and templates. */
@Module({})
export class CatalogModule {
  static with(settings: CatalogSettings): DynamicModule {
    return {
      module: CatalogModule,
      imports: [
        PersistenceModule.forContext(catalogSchema, settings.DATABASE_URL),
        CoursesModule.with(settings),
        TemplatesModule,
        VersionsModule,
      ],
    };
  }
}
