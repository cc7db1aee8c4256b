import { busMigrations } from '#libs/bus';
import { type ContextSchema } from '#libs/persistence';
import { Courses1760000000000 } from './migrations/1760000000000-courses.ts';
import { PackageUploads1760000000001 } from './migrations/1760000000001-package-uploads.ts';
import { PendingCreates1760000000002 } from './migrations/1760000000002-pending-creates.ts';
import { CoursePatterns1760000000003 } from './migrations/1760000000003-course-patterns.ts';
import { Templates1760000000004 } from './migrations/1760000000004-templates.ts';
import { BegunImports1760000000005 } from './migrations/1760000000005-begun-imports.ts';

/** The catalog's part of the database. Its tables are written and read as SQL text. */
export const catalogSchema: ContextSchema = {
  name: 'catalog',
  entities: [],
  migrations: [
    ...busMigrations,
    Courses1760000000000,
    PackageUploads1760000000001,
    PendingCreates1760000000002,
    CoursePatterns1760000000003,
    Templates1760000000004,
    BegunImports1760000000005,
  ],
};
